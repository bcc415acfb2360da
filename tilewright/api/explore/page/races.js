// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which synchronization would order the two accesses of a race? A later atomic of the earlier block whose value an
// earlier atomic of the later block reads: if the one releases and the other acquires, the first access happens before
// the second. No DOM.

const mostIndexedElements = 64, mostExecutions = 8;
/** So many visits of traced operations take less than a second; races beyond that keep the help of their check. */
const mostVisitsForRaces = 5e6;

/** The atomics between which the order of a race is missing: {release, acquire}, two events of the trace. Null unless
    stronger orderings of these two would certainly order the accesses. */
function missingOrder(model, finding) {
  const accesses = finding.check === 'race' && finding.device === 'reference' ? model.accessesOf(finding) : [];
  if (accesses.length !== 2 || finding.array_element === null || model.document.trace_unlisted) return null;
  const [first, second] = accesses;
  if (!first.block || !second.block || sameList(first.block, second.block)) return null;
  // If an operation accesses the element repeatedly, any of its executions may be the one of the race.
  const [earlier, later] = accesses.map(access => model.eventsOf(access, finding).slice(0, mostExecutions + 1));
  if ([earlier, later].some(events => !events.length || events.length > mostExecutions)) return null;
  if (!visit(model, (earlier.length + later.length + 1) * model.trace.length)) return null;
  const after = earlier.map(({step}) => model.stepsAfter(step)), before = later.map(({step}) => model.stepsBefore(step));
  const inAll = (sets, {step}) => sets.every(set => set.has(step));
  const isWrite = event => isFlagWrite(event) && sameList(event.block, first.block) && inAll(after, event);
  const reads = model.trace.filter(event => isFlagRead(event) && sameList(event.block, second.block) && inAll(before, event));
  for (const acquire of reads.reverse()) {
    const release = findRelease(model, acquire, isWrite);
    if (release) return {release, acquire};
  }
  return null;
}

const isStrong = ({ordering, scope}) => Boolean(ordering) && scope !== 'tl_blk';
/** A compare-and-swap may have written nothing. */
const isFlagWrite = event => isStrong(event) && event.operation !== 'atomic_cas_tko' && event.memory.some(({kind}) => kind !== 'load');
const isFlagRead = event => isStrong(event) && event.memory.some(({kind}) => kind !== 'store');

/** Counts visits of traced operations; false if there were too many. */
function visit(model, count) {
  model.visitsForRaces += count;
  return model.visitsForRaces <= mostVisitsForRaces;
}

/** The last of the candidates that has written an element that `read` reads, or that only strong updates have changed
    since (a release sequence). One of the two must be too weak now. */
function findRelease(model, read, isCandidate) {
  let found = null;
  for (const {array, kind, elements} of read.memory) {
    if (array === null || kind === 'store' || !visit(model, countOf(elements))) continue;
    forEachOffset(elements, offset => {
      const release = releaseOfElement(writesOf(model, array, offset), model, read, isCandidate);
      if (release && !(found?.step >= release.step)) found = release;
    });
  }
  return found;
}

/** The same for one element, whose writes are given: walks back to the start of the release sequence. */
function releaseOfElement(writes, model, read, isCandidate) {
  for (let at = writes.length - 1; at >= 0 && visit(model, 1); --at) {
    const write = writes[at];
    if (write.step >= read.step) continue;
    if (isCandidate(write) && !(releases(write) && acquires(read))) return write;
    if (!continuesSequence(write)) return null;
  }
  return null;
}

/** The traced operations that write an element, in order. */
function writesOf(model, array, offset) {
  model.writes ??= indexWrites(model.trace);
  const small = model.writes.get(`${array}:${offset}`) ?? [], large = model.writes.get(`${array}`) ?? [];
  if (!large.length || !visit(model, small.length + large.length)) return small;
  return [...small, ...large.filter(event => writesElement(event, array, offset))].sort((a, b) => a.step - b.step);
}

/** Operations by each element that they write, but by the array if they write many. */
function indexWrites(trace) {
  const index = new Map();
  const add = (key, event) => index.has(key) ? index.get(key).push(event) : index.set(key, [event]);
  for (const event of trace)
    for (const {array, kind, elements} of event.memory) {
      if (array === null || kind === 'load') continue;
      if (countOf(elements) > mostIndexedElements) add(`${array}`, event);
      else forEachOffset(elements, offset => add(`${array}:${offset}`, event));
    }
  return index;
}

const writesElement = ({memory}, array, offset) => memory.some(each => each.array === array && each.kind !== 'load' && covers(each.elements, offset));
const continuesSequence = write => isStrong(write) && write.memory.every(({kind}) => kind === 'update');

const releases = ({ordering}) => ordering === 'release' || ordering === 'acq_rel';
const acquires = ({ordering}) => ordering === 'acquire' || ordering === 'acq_rel';

/** What to change, in words: "make atomic_rmw_tko at line 16 acq_rel instead of relaxed: ..." */
function describeMissingOrder({release, acquire}) {
  const effect = `then the release in block ${formatBlock(release.block)} and the acquire in block ${formatBlock(acquire.block)} ` +
    'order the two accesses';
  if (sameLocation(release.location, acquire.location)) return `make ${nameAt(release)} acq_rel instead of ${release.ordering}: ${effect}`;
  const changes = [!releases(release) && strengthen(release, 'release', acquires(release)),
                   !acquires(acquire) && strengthen(acquire, 'acquire', releases(acquire))].filter(Boolean);
  return `make ${changes.join(', and ')}: ${effect}`;
}

const nameAt = ({operation, location}) => operation + (location?.line ? ` at line ${location.line}` : '');
const strengthen = (event, ordering, hasOther) => `${nameAt(event)} ${hasOther ? 'acq_rel' : ordering} instead of ${event.ordering}`;
