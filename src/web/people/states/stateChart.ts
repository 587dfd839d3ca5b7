import { AD } from './adState.ts'
import { AUTH } from './authState.ts'
import { CACHE } from './cacheBuster.ts'
import { ALIASES, GATED, PAGES } from './loading.ts'
import type { Machine } from './machine.ts'
import { THEME } from './themeState.ts'
import { VISITS } from './visits.ts'
import { REQUEST, WALLET_SIGN_IN } from './walletRequests.ts'

type AnyMachine = Machine<string, string>

/** All machines of the people side, in the order of the specification's chapter 4. */
export const MACHINES: readonly AnyMachine[] = [
  AUTH,
  WALLET_SIGN_IN,
  REQUEST,
  THEME,
  VISITS,
  AD,
  CACHE,
  ALIASES,
  GATED,
  PAGES,
]

/** One arrow of the chart: steps that differ in nothing but where they begin are drawn as one from any of them. */
type Arrow = { readonly froms: readonly string[]; readonly to: string; readonly words: string }

function arrowsOf({ steps }: AnyMachine): readonly Arrow[] {
  const arrows = new Map<string, { froms: string[]; to: string; words: string }>()
  for (const { from, on, to, does } of steps) {
    const words = does === undefined ? on : `${on} / ${does}`
    const key = `${to} ${words}`
    const arrow = arrows.get(key)
    if (arrow) arrow.froms.push(from)
    else arrows.set(key, { froms: [from], to, words })
  }
  return [...arrows.values()]
}

/**
 * The machine as lines of text: a column a state, the first marked with a dot, and an arrow a step from every state that it may
 * be taken from (`o`) to the one that it leads to (`>` or `<`; `@` where that is among them).
 */
export function chartText(machine: AnyMachine): string {
  const { title, initial, states } = machine
  const heads = states.map(state => `${state === initial ? '● ' : ''}${state}`)
  const width = Math.max(...heads.map(head => head.length)) + 3
  const lines = [
    title,
    '',
    heads
      .map(head => head.padEnd(width))
      .join('')
      .trimEnd(),
  ]
  for (const { froms, to, words } of arrowsOf(machine)) {
    const cells: string[] = Array.from({ length: states.length * width }, (_, place) =>
      place % width === 0 ? '│' : ' ',
    )
    const at = (state: string) => states.indexOf(state) * width
    const target = at(to)
    const places = froms.map(at)
    const [first, last] = [Math.min(target, ...places), Math.max(target, ...places)]
    for (let place = first; place < last; place++) if (cells[place] === ' ') cells[place] = '─'
    for (const place of places) cells[place] = 'o'
    cells[target] = places.includes(target) ? '@' : places.some(place => place < target) ? '>' : '<'
    lines.push(`${cells.join('')} ${words}`)
  }
  return lines.map(line => line.trimEnd()).join('\n')
}

/** All machines as text, as the documentation has them. */
export const chartsText = (): string => MACHINES.map(chartText).join('\n\n')

const COLUMN = 150
const ROW = 30
const HEAD = 62
const WORDS = 330

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** All machines as one picture (SVG): lifelines of states, an arrow a step. */
export function chartsSvg(): string {
  const parts: string[] = []
  let top = 16
  let widest = 0
  for (const machine of MACHINES) {
    const arrows = arrowsOf(machine)
    const { title, initial, states } = machine
    const x = (state: string) => 80 + states.indexOf(state) * COLUMN
    const right = x(states.at(-1) ?? '') + 90
    widest = Math.max(widest, right + WORDS)
    const bottom = top + HEAD + arrows.length * ROW
    parts.push(`<text class="title" x="16" y="${top + 14}">${escaped(title)}</text>`)
    for (const state of states) {
      const isFirst = state === initial
      parts.push(
        `<line class="life" x1="${x(state)}" y1="${top + 50}" x2="${x(state)}" y2="${bottom}"/>`,
        `<rect class="${isFirst ? 'first' : 'state'}" x="${x(state) - 62}" y="${top + 26}" width="124" height="24" rx="12"/>`,
        `<text class="name" x="${x(state)}" y="${top + 42}">${escaped(state)}</text>`,
      )
    }
    for (const [place, { froms, to, words }] of arrows.entries()) {
      const y = top + HEAD + place * ROW + 8
      for (const from of froms) {
        parts.push(`<circle class="from" cx="${x(from)}" cy="${y}" r="3.5"/>`)
        parts.push(
          from === to
            ? `<path class="step" d="M${x(from)} ${y}h22v12h-20" marker-end="url(#head)"/>`
            : `<path class="step" d="M${x(from)} ${y}H${x(to) + (x(from) < x(to) ? -3 : 3)}" marker-end="url(#head)"/>`,
        )
      }
      parts.push(`<text class="words" x="${right}" y="${y + 4}">${escaped(words)}</text>`)
    }
    top = bottom + 28
  }
  const style =
    'text{font:13px Inter,system-ui,sans-serif;fill:#1b1a17}.title{font-weight:600;font-size:15px}.name{text-anchor:middle}.words{fill:#655f54}.state,.first{fill:#fff;stroke:#cfc8ba}.first{stroke:#c2560a;stroke-width:2}.life{stroke:#e8e4db}.step{fill:none;stroke:#1b1a17}.from{fill:#1b1a17}'
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${widest} ${top}" role="img" aria-label="State chart of the people side"><style>${style}</style><defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="#1b1a17"/></marker></defs><rect width="100%" height="100%" fill="#fbfaf7"/>${parts.join('')}</svg>\n`
}
