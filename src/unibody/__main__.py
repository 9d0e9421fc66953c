"""``python -m unibody`` is the command ``unibody``."""

import sys

from unibody.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
