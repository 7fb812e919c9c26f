"""Fail when a test that must run was skipped, and print the counts of a test report."""

import os
import sys
import xml.etree.ElementTree as ElementTree

ALLOWED = ("long count",)  # Reduced counts run in the gate, full ones in .ci/long.


def main(report: str) -> int:
    """Read a JUnit report; give 1 when a skip has no allowed reason."""
    cases = ElementTree.parse(report).getroot().iter("testcase")
    skipped = [(f"{case.get('classname')}::{case.get('name')}", skip.get("message") or "") for case in cases for skip in case.findall("skipped")]
    shared = os.environ.get("WHYMISS_REQUIRE_SHARED") == "1"
    wrong = [(name, why) for name, why in skipped if not why.startswith(ALLOWED) and not (why.startswith("shared data") and not shared)]
    for name, why in wrong:
        print(f"skipped, but must run: {name}: {why}", file=sys.stderr)
    print(f"{len(skipped)} skipped, {len(wrong)} of them must run")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
