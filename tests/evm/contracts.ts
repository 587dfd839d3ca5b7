/** Contracts written by hand in the machine's own code: small enough to be read, and no compiler is needed. */

const TRANSFER = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** What puts `runtime` onto the chain: copies it out of itself and returns it. */
function creation(runtime: string): string {
  const length = (runtime.length / 2).toString(16).padStart(4, '0')
  // PUSH2 length, DUP1, PUSH1 13, PUSH1 0, CODECOPY, PUSH1 0, RETURN
  return `0x61${length}80600d6000396000f300${runtime}`
}

/**
 * Takes two words, a recipient and an amount, and emits ERC-20's Transfer(caller, recipient, amount); fails for the
 * amount 0.
 */
export const TOKEN = creation(
  [
    '602035', // amount
    '80156036', // is it zero?
    '57', // then on to the failure
    '600052', // memory[0] = amount
    '600035', // recipient
    '33', // caller
    `7f${TRANSFER}`,
    '60206000',
    'a3', // LOG3
    '00',
    '5b600080fd', // REVERT
  ].join(''),
)

/** Takes init code and makes two contracts of it, by CREATE and by CREATE2 with the salt 1. */
export const FACTORY = creation(
  [
    '3660006000', // copies its input
    '37',
    '3660006000f050', // CREATE
    '60013660006000f550', // CREATE2(value 0, offset 0, size, salt 1)
    '00',
  ].join(''),
)

/** Emits as many empty logs as the first word of its input says. */
export const LOGGER = creation(
  [
    '600035', // count
    '5b', // 03: loop
    '8015601557', // done?
    '60006000a0', // LOG0
    '60019003600356', // count − 1, again
    '5b00', // 15: end
  ].join(''),
)

/** Code with places that jumps name: `@name` stands for the place, `:name` marks it. All places lie below 256. */
function assembled(...parts: readonly string[]): string {
  const places = new Map<string, string>()
  let at = 0
  for (const part of parts) {
    if (part.startsWith(':')) places.set(part.slice(1), at.toString(16).padStart(2, '0'))
    at += part.startsWith(':') ? 1 : part.startsWith('@') ? 2 : part.length / 2
  }
  return parts
    .map(part => {
      if (part.startsWith(':')) return '5b'
      return part.startsWith('@') ? `60${places.get(part.slice(1))}` : part
    })
    .join('')
}

const letters = (text: string): string => Buffer.from(text).toString('hex')

/**
 * Transfers as `TOKEN` does, without failing, and says what it is called: its name "Test Token" as a text, its symbol "TST"
 * as 32 bytes, as tokens before the standard do, and 6 decimals.
 */
export const NAMED_TOKEN = creation(
  assembled(
    ...['36600414', '@asked', '57'], // four bytes of input: a question
    `60203560005260003533${`7f${TRANSFER}`}60206000a300`,
    ...[':asked', '60003560e01c'],
    ...['806306fdde0314', '@name', '57'],
    ...['806395d89b4114', '@symbol', '57'],
    ...['8063313ce56714', '@decimals', '57'],
    '600080fd',
    ...[':name', '6020600052', '600a602052', `69${letters('Test Token')}60b01b604052`, '60606000f3'],
    ...[':symbol', `62${letters('TST')}60e81b600052`, '60206000f3'],
    ...[':decimals', '6006600052', '60206000f3'],
  ),
)

const word = (value: bigint | number | string): string => BigInt(value).toString(16).padStart(64, '0')

/** Input of `TOKEN`. */
export const transferInput = (to: string, amount: bigint | number): string => `0x${word(to)}${word(amount)}`
/** Input of `LOGGER`. */
export const logsInput = (count: number): string => `0x${word(count)}`
