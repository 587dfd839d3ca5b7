import { type Reader, readU8, refusal, take } from '../reader.ts'

/** Longest name of a variable, function or field. Source: stacks-core `MAX_STRING_LEN`. */
const MOST_NAME_BYTES = 128
/** Longest name of a contract in a transaction; in principals early nodes let 128 through, and so does every node since. */
const MOST_CONTRACT_NAME_BYTES = 40

const CLARITY_NAME = /^[a-zA-Z][a-zA-Z0-9\-_!?+<>=/*]*$|^[-+=/*]$|^[<>]=?$/
const CONTRACT_NAME = /^[a-zA-Z][a-zA-Z0-9\-_]*$|^__transient$/

/** Length byte and name of a variable, function, asset or field. Source: stacks-core `representations.rs`, `ClarityName`. */
export function readClarityName(r: Reader, what: string): string {
  return readName(r, what, 0, MOST_NAME_BYTES, CLARITY_NAME)
}

/** Length byte and name of a contract as transactions carry it: 1 to 40 characters. */
export function readContractName(r: Reader, what: string): string {
  return readName(r, what, 1, MOST_CONTRACT_NAME_BYTES, CONTRACT_NAME)
}

/** The same inside a principal: up to 128 characters. */
export function readPrincipalContractName(r: Reader, what: string): string {
  return readName(r, what, 0, MOST_NAME_BYTES, CONTRACT_NAME)
}

function readName(r: Reader, what: string, least: number, most: number, form: RegExp): string {
  const at = r.pos
  const length = readU8(r, what)
  if (length < least || length > most) {
    throw refusal('name', `The ${what} has ${length} characters`, what, at, {
      got: length,
      expected: `${least} to ${most}`,
    })
  }
  const start = take(r, length, what)
  const text = r.bytes.toString('latin1', start, start + length)
  if (!form.test(text)) throw refusal('name', `"${text}" is no ${what} that Clarity allows`, what, start)
  return text
}
