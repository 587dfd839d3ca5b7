import type { AnswerColumn } from '../decodeRows.ts'

/** An empty block with columns (https://clickhouse.com/docs/native-protocol/columns), which the engine does not write. */
export function emptyNative(columns: readonly AnswerColumn[]): Buffer {
  const text = (value: string) => [varint(Buffer.byteLength(value)), Buffer.from(value)]
  return Buffer.concat([
    varint(columns.length),
    varint(0),
    ...columns.flatMap(({ name, type }) => [...text(name), ...text(type)]),
  ])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}
