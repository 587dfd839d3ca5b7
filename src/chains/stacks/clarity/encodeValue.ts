import { decodeAddress } from '../address/c32.ts'
import { type ClarityValue, TYPE_PREFIX } from './value.ts'

/** Serialized bytes of a value, as the node writes them. Source: SIP-005. */
export function encodeValue(value: ClarityValue): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = []
  writeValue(value, parts)
  return Buffer.concat(parts)
}

function writeValue(value: ClarityValue, parts: Uint8Array[]): void {
  switch (value.type) {
    case 'int':
      parts.push(integer(TYPE_PREFIX.int, BigInt.asUintN(128, value.value)))
      break
    case 'uint':
      parts.push(integer(TYPE_PREFIX.uint, value.value))
      break
    case 'bool':
      parts.push(Buffer.of(value.value ? TYPE_PREFIX.true : TYPE_PREFIX.false))
      break
    case 'buffer':
      parts.push(counted(TYPE_PREFIX.buffer, value.value.length), value.value)
      break
    case 'string-ascii':
      parts.push(counted(TYPE_PREFIX.stringAscii, value.value.length), Buffer.from(value.value, 'latin1'))
      break
    case 'string-utf8': {
      const bytes = Buffer.from(value.value, 'utf8')
      parts.push(counted(TYPE_PREFIX.stringUtf8, bytes.length), bytes)
      break
    }
    case 'principal':
      parts.push(encodePrincipal(value.value))
      break
    case 'optional':
      parts.push(Buffer.of(value.value === null ? TYPE_PREFIX.none : TYPE_PREFIX.some))
      if (value.value !== null) writeValue(value.value, parts)
      break
    case 'response':
      parts.push(Buffer.of(value.isOk ? TYPE_PREFIX.ok : TYPE_PREFIX.err))
      writeValue(value.value, parts)
      break
    case 'list':
      parts.push(counted(TYPE_PREFIX.list, value.items.length))
      for (const item of value.items) writeValue(item, parts)
      break
    case 'tuple':
      parts.push(counted(TYPE_PREFIX.tuple, value.fields.length))
      for (const field of value.fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        parts.push(sizedName(field.name))
        writeValue(field.value, parts)
      }
  }
}

/** Serialized bytes of a principal with its type byte. Errors: `AddressError`. */
export function encodePrincipal(text: string): Buffer<ArrayBuffer> {
  const dot = text.indexOf('.')
  const { version, hash160 } = decodeAddress(dot < 0 ? text : text.slice(0, dot))
  if (dot < 0) return Buffer.concat([Buffer.of(TYPE_PREFIX.standardPrincipal, version), hash160])
  return Buffer.concat([
    Buffer.of(TYPE_PREFIX.contractPrincipal, version),
    hash160,
    sizedName(text.slice(dot + 1)),
  ])
}

/** Length byte and characters. */
const sizedName = (name: string): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.of(name.length), Buffer.from(name, 'latin1')])

function counted(prefix: number, count: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(5)
  bytes[0] = prefix
  bytes.writeUInt32BE(count, 1)
  return bytes
}

function integer(prefix: number, value: bigint): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(17)
  bytes[0] = prefix
  bytes.writeBigUInt64BE(value >> 64n, 1)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value), 9)
  return bytes
}
