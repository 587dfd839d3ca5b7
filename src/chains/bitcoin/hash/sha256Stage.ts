import {
  type Code,
  get,
  I32,
  i32,
  i32Add,
  i32Load,
  i32LtU,
  i32Shl,
  i32ShrU,
  i32Store,
  i32Store8,
  i32Sub,
  ifElse,
  set,
  v128Load,
  v128Store,
  v128Words,
  type WasmFunction,
  whileLoop,
} from './wasm.ts'

/**
 * Copies the message of a job into a lane and pads it (FIPS 180-4, 5.1.1); returns its blocks. Copies run in whole
 * vectors past the message, hence the slack and the clearing behind it.
 */
export function stage(): WasmFunction {
  const [JOB, LANE, START, LENGTH, TX_BYTES, BLOCKS, FROM, TO, LAST] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
  const copyTo = (last: Code): Code => [
    ...last,
    ...set(LAST),
    ...whileLoop(i32LtU(get(TO), get(LAST)), [
      ...v128Store(get(TO), v128Load(get(FROM))),
      ...i32Add(get(FROM), i32(16)),
      ...set(FROM),
      ...i32Add(get(TO), i32(16)),
      ...set(TO),
    ]),
  ]
  const laneEnd = i32Add(get(LANE), i32Shl(get(BLOCKS), i32(6)))
  return {
    params: [I32, I32],
    results: [I32],
    locals: Array(7).fill(I32),
    body: [
      ...i32Load(get(JOB)),
      ...set(START),
      ...i32Load(get(JOB), 4),
      ...set(LENGTH),
      ...i32Load(get(JOB), 8),
      ...set(TX_BYTES),
      ...i32ShrU(i32Add(get(LENGTH), i32(72)), i32(6)),
      ...set(BLOCKS),
      ...i32Sub(laneEnd, i32(128)),
      ...set(TO),
      ...[0, 1, 2, 3].flatMap(i => v128Store(get(TO), v128Words(0), 32 * i)),
      ...[0, 1, 2, 3].flatMap(i => v128Store(get(TO), v128Words(0), 32 * i + 16)),
      ...ifElse(
        get(TX_BYTES),
        [
          // Marker, flag and witnesses are left out of a txid (BIP-141).
          ...i32Store(get(LANE), i32Load(get(START))),
          ...i32Add(get(START), i32(6)),
          ...set(FROM),
          ...i32Add(get(LANE), i32(4)),
          ...set(TO),
          ...copyTo(i32Add(get(LANE), i32Sub(get(LENGTH), i32(4)))),
          ...i32Store(
            i32Sub(i32Add(get(LANE), get(LENGTH)), i32(4)),
            i32Load(i32Sub(i32Add(get(START), get(TX_BYTES)), i32(4))),
          ),
        ],
        [...get(START), ...set(FROM), ...get(LANE), ...set(TO), ...copyTo(i32Add(get(LANE), get(LENGTH)))],
      ),
      ...i32Add(get(LANE), get(LENGTH)),
      ...set(TO),
      ...v128Store(get(TO), v128Words(0)),
      ...i32Store8(get(TO), i32(0x80)),
      ...laneEnd,
      ...set(TO),
      ...i32Shl(get(LENGTH), i32(3)),
      ...set(FROM),
      ...[0, 1, 2, 3].flatMap(i => i32Store8(i32Sub(get(TO), i32(1 + i)), i32ShrU(get(FROM), i32(8 * i)))),
      ...get(BLOCKS),
    ],
  }
}
