"""What is promised and does not hold yet: a list of figures with the value that was found and why. A figure that gets worse fails its test,
and so does one that holds now, as its entry is out of date."""


class Known:
    """`entries`: {(case, method, figure): (value, why)}; "*" as a case stands for all that have no entry of their own."""

    def __init__(self, entries):
        self.entries = entries
        self.wrong = []

    def check(self, case, method, figure, value, most, slack=1.1):
        """The value may be `most`, or `slack` times the known one. Where it cannot be had it is None."""
        own, of_all = (case, method, figure), ("*", method, figure)
        entry = self.entries.get(own, self.entries.get(of_all))
        what = f"{case}, {method}: {figure} {value}, {most} asked"
        if value is None:
            self.wrong.append(what)
        elif value <= most:
            if own in self.entries:
                self.wrong.append(f"{what}: it holds now, so it is no longer KNOWN")
        elif entry is None:
            self.wrong.append(what)
        elif value > slack * entry[0]:
            self.wrong.append(f"{what}: worse than the {entry[0]} that is KNOWN ({entry[1]})")
        else:
            print(f"known: {what} ({entry[1]})")

    def done(self):
        wrong, self.wrong = self.wrong, []
        assert not wrong, "\n  " + "\n  ".join(wrong)
