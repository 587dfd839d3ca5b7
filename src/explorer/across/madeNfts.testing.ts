import { type MadeStacksBlock, moved, printOf } from '#metrics/madeStacks.testing.ts'

export const ALICE = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
export const BOB = 'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9'
export const CAROL = 'SPNWZ5V2TPWGQGVDR6T7B6RQ4XMGZ4PXTEE0VQ0S'
export const MAKER = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4'
export const APES = `${MAKER}.apes`
export const APE = `${APES}::ape`
export const COIN = `${MAKER}.coin`
export const GOLD = `${COIN}::gold`
const BIDS = `${MAKER}.bids`
const STX = 1_000_000n
export const START_S = 1_760_000_400

export const nft = (token: bigint, from?: string, to?: string) =>
  moved({ asset: APE, token, ...(from && { from }), ...(to && { to }) })

const list = (id: bigint, price: bigint) =>
  printOf(APES, { a: 'list-in-ustx', id, price, commission: `'${MAKER}.fee` })

/** Two collections’ worth of what can happen to an NFT, from genesis on, a block every ten minutes. */
export const BLOCKS: readonly MadeStacksBlock[] = [
  {
    height: 1,
    timeS: START_S,
    burnHeight: 900_000,
    contracts: [APES, COIN],
    txs: [
      {
        name: 'allocation',
        events: [moved({ to: ALICE, amount: 100n * STX }), moved({ to: CAROL, amount: 50n * STX })],
      },
      {
        name: 'mint 1',
        events: [moved({ from: ALICE, to: MAKER, amount: 5n * STX }), nft(1n, undefined, ALICE)],
      },
      { name: 'mint 2', events: [nft(2n, undefined, BOB), nft(3n, undefined, BOB)] },
      { name: 'gold', events: [moved({ asset: GOLD, to: ALICE, amount: 700n })] },
    ],
  },
  {
    height: 2,
    timeS: START_S + 600,
    burnHeight: 900_001,
    txs: [
      { name: 'list 1', events: [list(1n, 10n * STX)] },
      { name: 'list 2', events: [list(2n, 7n * STX)] },
      { name: 'list 3', events: [list(3n, 2n * STX)] },
      { name: 'gift 3', events: [nft(3n, BOB, ALICE)] },
      { name: 'pay', events: [moved({ asset: GOLD, from: ALICE, to: BOB, amount: 200n })] },
    ],
  },
  {
    height: 3,
    timeS: START_S + 1200,
    burnHeight: 900_002,
    txs: [
      {
        name: 'buy 1',
        events: [
          moved({ from: CAROL, to: ALICE, amount: 9_500_000n }),
          moved({ from: CAROL, to: MAKER, amount: 500_000n }),
          nft(1n, ALICE, CAROL),
          printOf(APES, { a: 'buy-in-ustx', id: 1n }),
        ],
      },
      { name: 'bid', events: [moved({ from: BIDS, to: ALICE, amount: 4n * STX }), nft(3n, ALICE, CAROL)] },
    ],
  },
  {
    height: 4,
    timeS: START_S + 1800,
    burnHeight: 900_003,
    txs: [
      {
        name: 'sweep',
        events: [moved({ from: BOB, to: CAROL, amount: 3n * STX }), nft(1n, CAROL, BOB), nft(3n, CAROL, BOB)],
      },
    ],
  },
]
