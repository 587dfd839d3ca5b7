/** A visual change would pass unseen, or a mere shade would fail the build. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PNG } from 'pngjs'
import { smallFile } from './fewColours.ts'
import { differenceOf } from './pictures.ts'

const PAPER = [251, 250, 247]
const CARD = [255, 255, 255]
const INK = [27, 26, 23]

/** A card on paper with a word of twelve letters, which are boxes with soft edges. */
function picture(over: { card?: number[]; letters?: number; noise?: number; height?: number } = {}): PNG {
  const { card = CARD, letters = 12, noise = 0, height = 60 } = over
  const drawn = new PNG({ width: 120, height })
  const put = (x: number, y: number, [red = 0, green = 0, blue = 0]: number[]) =>
    drawn.data.set([red, green, blue, 255], (y * 120 + x) * 4)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < 120; x += 1) {
      const isOnCard = x >= 8 && x < 112 && y >= 8 && y < 52
      put(x, y, isOnCard ? card : PAPER)
    }
  for (let letter = 0; letter < letters; letter += 1)
    for (let step = 0; step < 6; step += 1) {
      const soft = INK.map((channel, at) => Math.round((channel + (card[at] ?? 0)) / 2) + noise)
      put(14 + letter * 8, 20 + step, INK)
      put(15 + letter * 8, 20 + step, soft)
    }
  return drawn
}
const kept = (of: PNG): PNG => PNG.sync.read(smallFile(of))

test('a picture is as it was kept, also where edges are a shade lighter than then', () => {
  assert.equal(differenceOf(kept(picture()), picture()).fault, undefined)
  assert.equal(differenceOf(kept(picture()), picture({ noise: 2 })).fault, undefined)
})

test('surfaces are kept as they are, and a small file is one that any program reads', () => {
  const { data, width } = kept(picture())
  assert.deepEqual([...data.subarray(0, 3)], PAPER)
  assert.deepEqual([...data.subarray((30 * width + 60) * 4, (30 * width + 60) * 4 + 3)], CARD)
})

test('two letters less, a card of a shade more, a card that is gone and another size are told', () => {
  assert.match(differenceOf(kept(picture()), picture({ letters: 10 })).fault ?? '', /^\d+ pixels differ$/)
  assert.match(
    differenceOf(kept(picture()), picture({ card: [255, 255, 240] })).fault ?? '',
    /new colour: #fffff0/,
  )
  const [bare, gone] = [picture({ letters: 0 }), picture({ letters: 0, card: PAPER })]
  assert.match(differenceOf(kept(bare), gone).fault ?? '', /pixels differ/)
  assert.match(
    differenceOf(kept(picture()), picture({ height: 64 })).fault ?? '',
    /120 × 64 px, was 120 × 60 px/,
  )
})
