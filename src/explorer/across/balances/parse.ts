import { scriptOf } from '#chains/bitcoin/index.ts'
import { isAddress } from '#chains/stacks/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { sentenceOf } from '#kernel/errors.ts'

/** An address that was understood: which chains know its kind, and how rows name it. */
export type Asked = {
  /** As it is shown. */
  address: string
  kind: 'bitcoin' | 'stacks' | 'evm'
  /** Locking script in hexadecimal, principal, or 40 hexadecimal digits. */
  key: string
}

/** What one line came to: an address, or why it is none. */
export type AskedLine = { line: number; input: string } & (
  | { asked: Asked; problem: null }
  | { asked: null; problem: string }
)

const SHOWN = 80
const CONTRACT_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,127}$/

/**
 * Reads lines as people paste them: the first field of a line of CSV counts, quotes and spaces around it do not. Empty lines
 * are left out; a line that is no address, or the same as one before, says so and spoils no other.
 */
export async function parseAddresses(lines: readonly string[], network: Network): Promise<AskedLine[]> {
  const { parseAddress } = await import('#chains/evm/index.ts')
  const seen = new Map<string, number>()
  const read: AskedLine[] = []
  for (const [index, raw] of lines.entries()) {
    const input = firstField(raw)
    if (input === '') continue
    const line = index + 1
    const said = { line, input: input.slice(0, SHOWN) }
    const found = addressIn(input, network, parseAddress)
    if (typeof found === 'string') {
      read.push({ ...said, asked: null, problem: found })
      continue
    }
    const key = `${found.kind} ${found.key}`
    const before = seen.get(key)
    if (before === undefined) {
      seen.set(key, line)
      read.push({ ...said, asked: found, problem: null })
    } else read.push({ ...said, asked: null, problem: `The same address as on line ${before}.` })
  }
  return read
}

function firstField(raw: string): string {
  const text = raw.trim().replace(/^\uFEFF/, '')
  const quoted = /^"((?:[^"]|"")*)"/.exec(text)
  return (quoted?.[1] ?? text.split(/[,;\t]/)[0] ?? '').trim()
}

/** An address of the chains covered, or why it is none. */
function addressIn(text: string, network: Network, parseEvm: (text: string) => string): Asked | string {
  if (/^0x/i.test(text)) {
    try {
      const lower = parseEvm(text.replace(/^0X/, '0x'))
      return { address: text, kind: 'evm', key: lower.slice(2) }
    } catch (thrown) {
      return sentenceOf(thrown)
    }
  }
  const [principal = '', name, ...rest] = text.split('.')
  if (/^S[A-Z0-9]{20,}$/.test(principal)) {
    if (!isAddress(principal))
      return 'An address of Stacks begins with SP or SM and is checked by its last letters: this one does not fit.'
    if (rest.length > 0 || (name !== undefined && !CONTRACT_NAME.test(name)))
      return 'Invalid contract name after the dot. Use letters, digits and hyphens, starting with a letter.'
    return { address: text, kind: 'stacks', key: text }
  }
  if (/^(?:bc1|tb1|bcrt1|[123mn])[a-zA-Z0-9]{10,}$/i.test(text)) {
    try {
      return { address: text, kind: 'bitcoin', key: Buffer.from(scriptOf(text, network)).toString('hex') }
    } catch (thrown) {
      return sentenceOf(thrown)
    }
  }
  return 'No address of a chain that is covered: those of Bitcoin begin with 1, 3 or bc1, of Stacks with SP or SM, of the EVM layers with 0x.'
}
