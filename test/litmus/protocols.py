# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates litmus tests (notation.py) in which weak data is protected by a protocol: message passing,
locks, tickets, turnstiles, or a random mix of accesses. Mistakes are planted at random: a weaker
ordering, a narrower scope, a missing token or guard, an access outside the protected part.
"""

import notation


class Generator:
    def __init__(self, choose):
        self.choose = choose
        self.names = iter(f"{letter}{i or ''}" for i in range(9) for letter in "abcdefghijklmnopqstuvxyz")

    def happens(self, probability):
        return self.choose.random() < probability

    # Parts that may have a mistake.

    def order(self, right):
        weaker = {"rel": ["rlx"], "acq": ["rlx"], "a/r": ["rlx", "acq", "rel"]}
        order = self.choose.choice(weaker[right]) if self.happens(0.12) else right
        return order + (".blk" if self.happens(0.04) else "")

    def then(self):
        return ";" if self.happens(0.06) else "->"

    def guarded(self, register, value, body):
        if self.happens(0.1):
            return body
        if self.happens(0.08):
            value += self.choose.choice([-1, 1])
        text = f"iff {register}={value} {{ {body} }}"
        return text + f" else {{ {self.access('E')} }}" if self.happens(0.1) else text

    def access(self, location="D"):
        """Weak accesses of the data."""
        kind = self.choose.random()
        if kind < 0.4:
            return f"W {location} {self.choose.choice([1, 2])} wk"
        register = next(self.names)
        read = f"{register}=R {location} wk"
        return read if kind < 0.7 else f"{read} {self.then()} W {location} {register}+1 wk"

    def around(self, body):
        """Adds accesses outside the protected part."""
        if self.happens(0.12):
            body = f"{self.access(self.choose.choice('DE'))} {self.then()} {body}"
        if self.happens(0.08):
            body = f"{body} {self.then()} {self.access(self.choose.choice('DE'))}"
        return body

    # Protocols: the blocks of a test.

    def message(self):
        flag, consumers = next(self.names), self.choose.choice([1, 1, 2])
        producer = f"{self.access()} {self.then()} W F 1 {self.order('rel')}"
        if self.happens(0.3):
            producer = f"{self.access()} {self.then()} {flag}=U F +1 {self.order('rel')}"
        blocks = [producer]
        for _ in range(consumers):
            f = next(self.names)
            wait = self.choose.choice([f"{f}=R F {self.order('acq')}",
                                       f"{f}=R F {self.order('acq')}",
                                       f"{f}=U F +0 {self.order('acq')}"])
            reads = f"{next(self.names)}=R D wk"
            blocks.append(f"{wait} {self.then()} {self.guarded(f, 1, reads)}")
        if consumers == 1 and self.happens(0.2):
            blocks.append(f"{next(self.names)}=U F +{self.choose.choice([0, 1])} rlx")
        return blocks

    def lock(self):
        blocks = []
        for _ in range(self.choose.choice([2, 2, 3])):
            l = next(self.names)
            release = self.choose.choice([f"W L 0 {self.order('rel')}",
                                          f"{next(self.names)}=U L :=0 {self.order('rel')}"])
            body = f"{self.access()} {self.then()} {release}"
            take = f"U L cas(0,1) {self.order('acq')}"
            if self.happens(0.3):
                blocks.append(f"spin {l}={take} 0 {self.then()} {body}")
            else:
                blocks.append(f"{l}={take} {self.then()} {self.guarded(l, 0, body)}")
        return blocks

    def ticket(self):
        count = self.choose.choice([2, 2, 3])
        blocks = []
        for block in range(count):
            n = next(self.names)
            last = f"{next(self.names)}=R D wk" if self.happens(0.7) else "W D 3 wk"
            part = "D" if self.happens(0.5) and not block else "CBA"[block]
            if part != "D" and self.happens(0.7):
                last = f"{next(self.names)}=R A wk -> {next(self.names)}=R C wk"
            blocks.append(f"W {part} {block + 1} wk {self.then()} {n}=U N +1 {self.order('a/r')} "
                          f"{self.then()} {self.guarded(n, count - 1, last)}")
        return blocks

    def turnstile(self):
        blocks = []
        for block in range(self.choose.choice([2, 2, 3])):
            s = next(self.names)
            wait = f"R S {self.order('acq')}"
            body = f"{self.access()} {self.then()} W S {block + 1} {self.order('rel')}"
            if self.happens(0.5):
                blocks.append(f"spin {s}={wait} {block} {self.then()} {body}")
            else:
                blocks.append(f"{s}={wait} {self.then()} {self.guarded(s, block, body)}")
        return blocks

    def synchronising(self):
        order = self.choose.choice(["a/r", "a/r", "acq", "rel", "rlx"])
        location = self.choose.choice("LLF")
        if order in ("acq", "rel") and self.happens(0.4):
            return (f"{next(self.names)}=R {location} acq" if order == "acq"
                    else f"W {location} 1 rel")
        return f"{next(self.names)}=U {location} {self.choose.choice(['+1', ':=1', 'cas(0,1)'])} {order}"

    def mix(self):
        """Weak accesses between synchronising ones, whose order happens to matter."""
        blocks = []
        for _ in range(self.choose.choice([2, 2, 3])):
            words = [self.synchronising()]
            if self.happens(0.7):
                words.insert(self.choose.choice([0, 1]), self.access(self.choose.choice("DDE")))
            if self.happens(0.4):
                words.append(self.synchronising())
            blocks.append(f" {self.then()} ".join(words))
        return blocks

    def test(self):
        protocol = self.choose.choice([self.message, self.lock, self.ticket, self.turnstile,
                                       self.mix, self.mix])
        blocks = [self.around(block) for block in protocol()]
        if protocol != self.turnstile:
            self.choose.shuffle(blocks)
        return notation.Test(" || ".join(blocks))


def protected_test(choose):
    return Generator(choose).test()
