import { DATA_PROTOCOLS } from '#kernel/bitcoin.ts'

/** Names of the protocols in a `protocol_mask`, in the order of priority. */
export const protocolsOf = (mask: number): string[] =>
  DATA_PROTOCOLS.filter((_, bit) => (mask & (1 << bit)) !== 0)

/** SQL for the number of transactions by protocol, as an array in the order of `DATA_PROTOCOLS`. */
export const PROTOCOL_COUNTS_SQL = `sumForEach(arrayMap(bit -> bitTest(protocol_mask, bit), range(${DATA_PROTOCOLS.length})))`

/** The pairs of that array that are not zero. */
export const protocolCountsOf = (
  counts: readonly (string | number)[],
): { protocol: string; txCount: number }[] =>
  DATA_PROTOCOLS.map((protocol, bit) => ({ protocol, txCount: Number(counts[bit] ?? 0) })).filter(
    ({ txCount }) => txCount > 0,
  )
