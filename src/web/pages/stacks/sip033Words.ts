/** A word of Clarity 4: what it does, and how it is written. Source: the text of SIP-033, and SIP-035 of one of them. */
export type WordOf033 = { word: string; does: string; form: string }

/** In the order of the proposal. */
export const WORDS_OF_033: readonly WordOf033[] = [
  {
    word: 'contract-hash?',
    does: 'The SHA-512/256 hash of another contract’s source. A bridge or a market can check that a token follows a known template before accepting it.',
    form: "(is-eq (contract-hash? 'SP….token) (ok 0x9f81…))",
  },
  {
    word: 'restrict-assets?',
    does: 'Runs code and adds up the assets that leave a named owner. If they exceed the listed allowances, everything is rolled back and the result is the number of the violated allowance.',
    form: '(restrict-assets? tx-sender ((with-stx u1000000)) …)',
  },
  {
    word: 'as-contract?',
    does: 'Acts as the contract itself, under the same kind of limit. Replaces as-contract, which had no limit and was removed.',
    form: '(as-contract? ((with-stx amount)) …)',
  },
  {
    word: 'with-stx',
    does: 'Allows this amount of micro-STX to leave by transfer.',
    form: '(with-stx u1000000)',
  },
  {
    word: 'with-ft',
    does: 'Allows this amount of a fungible token to leave; "*" stands for all tokens of that contract.',
    form: '(with-ft .token "coin" u50)',
  },
  {
    word: 'with-nft',
    does: 'Allows the NFTs with the listed ids to leave.',
    form: '(with-nft .art "piece" (list u7))',
  },
  {
    word: 'with-stacking',
    does: 'Allows this amount of micro-STX to be locked or delegated through PoX. Named with-staking in Clarity 6.',
    form: '(with-stacking u1000000000000)',
  },
  {
    word: 'with-all-assets-unsafe',
    does: 'Lifts the limit, within as-contract? only, for code that is trusted for another reason.',
    form: '(as-contract? ((with-all-assets-unsafe)) …)',
  },
  {
    word: 'current-contract',
    does: 'The contract’s own principal, without switching context.',
    form: '(stx-transfer? u1 tx-sender current-contract)',
  },
  {
    word: 'to-ascii?',
    does: 'Numbers, truth values, principals, buffers and plain UTF-8 as ASCII text: messages to other chains can be put together.',
    form: '(to-ascii? u42)',
  },
  {
    word: 'stacks-block-time',
    does: 'The time of the current block, in seconds since 1970. Before, contracts could read only the time of earlier blocks.',
    form: '(asserts! (< stacks-block-time deadline) (err u1))',
  },
  {
    word: 'secp256r1-verify',
    does: 'Checks a signature on the curve of passkeys and security chips. In Clarity 4 it hashes the given hash again, contrary to its text (SIP-035).',
    form: '(secp256r1-verify hash signature key)',
  },
]
