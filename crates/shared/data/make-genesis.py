#!/usr/bin/env python3
"""Regenerates mainnet-genesis.txt.gz from an unpacked npm package @ethereumjs/genesis.

    npm pack @ethereumjs/genesis@10.1.3 && tar xzf ethereumjs-genesis-10.1.3.tgz
    ./make-genesis.py package            write the file beside this script
    ./make-genesis.py package --check    compare the text in it instead; exit 1 if it differs

The text is what is compared, not the gzip bytes, which depend on the version of zlib.
"""

import argparse
import gzip
import hashlib
import json
import re
import sys
from pathlib import Path

ACCOUNTS = 8_893
# The presale's 60,108,506.26 ether and the endowment's 19.8 % of that.
TOTAL_WEI = 72_009_990_499_480_000_000_000_000

TARGET = Path(__file__).resolve().parent / "mainnet-genesis.txt.gz"
SOURCE = "src/genesisStates/mainnet.ts"
TABLE = re.compile(r"mainnetGenesis[^=]*=\s*\{(.*?)\}", re.DOTALL)
# `address: balance`, both in hexadecimal. The rarer `address: [balance, code, storage, nonce]` does
# not occur on mainnet; if it ever did, it would be left over and reported.
ENTRY = re.compile(r"\s*'0x([0-9a-f]{40})'\s*:\s*'0x([0-9a-f]+)'\s*,")


def allocation(package: Path) -> dict[str, int]:
    """The allocation in the package: 40 lower-case hexadecimal digits of address -> wei."""
    table = TABLE.search((package / SOURCE).read_text(encoding="utf-8"))
    if table is None:
        sys.exit(f"{package / SOURCE}: no table `mainnetGenesis`")
    left_over = ENTRY.sub("", table[1]).strip()
    if left_over:
        sys.exit(f"{package / SOURCE}: not an entry: {left_over[:80]!r}")
    entries = ENTRY.findall(table[1])
    accounts = {address: int(balance, 16) for address, balance in entries}
    if len(accounts) != len(entries):
        sys.exit(f"{package / SOURCE}: an address occurs twice")
    return accounts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("package", type=Path, help="directory of the unpacked npm package")
    parser.add_argument("--check", action="store_true", help="compare; write nothing")
    args = parser.parse_args()

    manifest = json.loads((args.package / "package.json").read_text(encoding="utf-8"))
    accounts = allocation(args.package)
    total = sum(accounts.values())
    text = "".join(f"{address} {wei}\n" for address, wei in sorted(accounts.items())).encode()

    print(f"source    {manifest['name']} {manifest['version']}")
    print(f"accounts  {len(accounts):,}")
    print(f"total     {total:,} wei")
    print(f"sha256    {hashlib.sha256(text).hexdigest()} (of the text)")
    if (len(accounts), total) != (ACCOUNTS, TOTAL_WEI):
        sys.exit(f"expected {ACCOUNTS:,} accounts and {TOTAL_WEI:,} wei")

    if args.check:
        if gzip.decompress(TARGET.read_bytes()) != text:
            sys.exit(f"{TARGET.name} differs from the package")
        print(f"{TARGET.name} holds the same text")
        return
    # No file name and no time in the header: the same input gives the same file.
    with TARGET.open("wb") as file:
        with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as packed:
            packed.write(text)
    print(f"wrote     {TARGET.name}, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
