import assert from 'node:assert/strict'
import { crc32, inflateRawSync } from 'node:zlib'

/** Files of an archive by name, read by its directory; fails for one whose sizes or sums are wrong. */
export function readZip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22
  assert.equal(bytes.readUInt32LE(end), 0x06054b50)
  const found = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50)
    const [crc, packed, size] = [at + 16, at + 20, at + 24].map(place => bytes.readUInt32LE(place))
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    assert.equal(bytes.readUInt32LE(local), 0x04034b50)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = inflateRawSync(bytes.subarray(from, from + (packed ?? 0)))
    assert.deepEqual([content.length, crc32(content)], [size, crc], name)
    found.set(name, content.toString())
    at += 46 + nameLength
  }
  return found
}
