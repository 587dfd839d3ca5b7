/** A word of Clarity 4: what it does, and how it is written. Source: the text of SIP-033, and SIP-035 of one of them. */
export type WordOf033 = { word: string; does: string; form: string }

/** In the order of the proposal. */
export const WORDS_OF_033: readonly WordOf033[] = [
  {
    word: 'contract-hash?',
    does: 'The SHA-512/256 hash of another contract’s source. A bridge or a market can check that a token follows a template it knows before it takes it.',
    form: "(is-eq (contract-hash? 'SP….token) (ok 0x9f81…))",
  },
  {
    word: 'restrict-assets?',
    does: 'Runs code and adds up what leaves a named owner. More than the allowances that it lists, and all of it is undone; the answer is the number of the one that was broken.',
    form: '(restrict-assets? tx-sender ((with-stx u1000000)) …)',
  },
  {
    word: 'as-contract?',
    does: 'Acts as the contract itself, under the same kind of limit. It takes the place of as-contract, which had none and is gone.',
    form: '(as-contract? ((with-stx amount)) …)',
  },
  {
    word: 'with-stx',
    does: 'Lets so many micro-STX leave by transfer.',
    form: '(with-stx u1000000)',
  },
  {
    word: 'with-ft',
    does: 'Allows this amount of a fungible token to leave; "*" stands for all tokens of that contract.',
    form: '(with-ft .token "coin" u50)',
  },
  {
    word: 'with-nft',
    does: 'Lets the NFTs of the listed ids leave.',
    form: '(with-nft .art "piece" (list u7))',
  },
  {
    word: 'with-stacking',
    does: 'Lets so many micro-STX be locked or delegated through PoX. Clarity 6 calls it with-staking.',
    form: '(with-stacking u1000000000000)',
  },
  {
    word: 'with-all-assets-unsafe',
    does: 'Lifts the limit, within as-contract? alone: for code that is trusted for another reason.',
    form: '(as-contract? ((with-all-assets-unsafe)) …)',
  },
  {
    word: 'current-contract',
    does: 'The contract’s own principal, without acting as it first.',
    form: '(stx-transfer? u1 tx-sender current-contract)',
  },
  {
    word: 'to-ascii?',
    does: 'Numbers, truth values, principals, buffers and plain UTF-8 as ASCII text: messages to other chains can be put together.',
    form: '(to-ascii? u42)',
  },
  {
    word: 'stacks-block-time',
    does: 'The time of the block that is being made, in seconds since 1970. Contracts could read that of earlier blocks alone.',
    form: '(asserts! (< stacks-block-time deadline) (err u1))',
  },
  {
    word: 'secp256r1-verify',
    does: 'Checks a signature on the curve of passkeys and security chips. In Clarity 4 it hashes the hash that it is given once more, other than its text says (SIP-035).',
    form: '(secp256r1-verify hash signature key)',
  },
]
