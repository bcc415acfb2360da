// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which synchronization would order the two accesses of a race? A later atomic of the earlier block whose value an
// earlier atomic of the later block reads: if the one releases and the other acquires, the first access happens before
// the second. No DOM.

const mostFlagElements = 64, mostExecutions = 8;

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
  const after = earlier.map(({step}) => model.stepsAfter(step)), before = later.map(({step}) => model.stepsBefore(step));
  const inAll = (sets, {step}) => sets.every(set => set.has(step));
  const writes = model.trace.filter(event => isFlagWrite(event) && sameList(event.block, first.block) && inAll(after, event));
  const reads = model.trace.filter(event => isFlagRead(event) && sameList(event.block, second.block) && inAll(before, event));
  for (const acquire of reads.reverse()) {
    const release = writes.findLast(event => event.step < acquire.step && canSynchronize(model, event, acquire));
    if (release) return {release, acquire};
  }
  return null;
}

const isStrong = ({ordering, scope}) => Boolean(ordering) && scope !== 'tl_blk';
/** A compare-and-swap may have written nothing. */
const isFlagWrite = event => isStrong(event) && event.operation !== 'atomic_cas_tko' && event.memory.some(({kind}) => kind !== 'load');
const isFlagRead = event => isStrong(event) && event.memory.some(({kind}) => kind !== 'store');

/** Whether `read` reads an element that `write` has written, or that only strong updates have changed since (a release
    sequence), and whether one of the two is too weak now. */
function canSynchronize(model, write, read) {
  if (releases(write) && acquires(read)) return false;
  return write.memory.some(({array, elements}) => {
    if (array === null || countOf(elements) > mostFlagElements) return false;
    const offsets = [];
    forEachOffset(elements, offset => offsets.push(offset));
    return offsets.some(offset => accessesElement(read, array, offset) && model.trace.every(event =>
      event.step <= write.step || event.step >= read.step || continuesSequence(event, array, offset)));
  });
}

const accessesElement = ({memory}, array, offset) => memory.some(each => each.array === array && covers(each.elements, offset));
const continuesSequence = (event, array, offset) => !accessesElement(event, array, offset) ||
  event.memory.every(({kind}) => kind === 'load') || (isStrong(event) && event.memory.every(({kind}) => kind === 'update'));

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
