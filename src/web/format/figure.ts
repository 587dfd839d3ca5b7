/** How a figure is written. One place, so that a number reads the same in a KPI, on an axis and in a table. */

export type Value = number | string | null | undefined

/** A figure as text: `text` is `number` and `tail` (its unit) together, `full` every digit, for hover and screen readers. */
export type FigureText = { text: string; number: string; tail: string; full: string }

const THIN = '\u202f'
const BARE = new Set(['', 'ratio', '–', 'n', 'HHI', 'difficulty', 'σ'])
const PREFIXES = [
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const

/** Group digits of an integer or a fixed decimal text in threes. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const sign = whole.startsWith('-') ? '−' : ''
  const digits = whole.replace('-', '').replace(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${digits}${fraction ? `.${fraction}` : ''}`
}

/** From here on a number is told by its power of ten: no letter counts that far, and its digits would fill a line. */
const MOST = 1e18
/** Below this too: eight decimals would round it away. */
const LEAST = 1e-5

/** Enough digits to tell neighbours apart, none that pretend more: 3.041, 58.2, 913, 12,480, 1.234e24, 5e−9. */
export function significant(value: number, digits = 4): string {
  const size = Math.abs(value)
  if (size === 0) return '0'
  if (size >= MOST || size < LEAST)
    return Number(value.toPrecision(digits)).toExponential().replace('+', '').replaceAll('-', '−')
  const decimals = Math.min(8, Math.max(0, digits - 1 - Math.floor(Math.log10(size))))
  return grouped(trimZeros(value.toFixed(decimals)))
}

const trimZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text)

/** 168,900,000 → `168.9M`; below 100,000 all digits are written. */
function compactNumber(value: number, digits = 4): string {
  const size = Math.abs(value)
  if (size < 100_000 || size >= MOST) return significant(value, digits)
  const [factor, letter] = PREFIXES.find(([from]) => size >= from) ?? [1, '']
  return `${significant(value / factor, digits)}${letter}`
}

const SAT_PER_BTC = 100_000_000
/** Below this an amount is told in satoshis. */
const LEAST_BTC_SAT = 1_000_000

function satText(sat: number): string {
  if (Math.abs(sat) >= LEAST_BTC_SAT) return `${compactNumber(sat / SAT_PER_BTC)} BTC`
  return `${significant(sat, 6)} sat`
}

const USTX_PER_STX = 1_000_000

/** Exact STX of an integer number of micro-STX, all six decimals. */
export function exactStx(ustx: string | number): string {
  const text = String(ustx).replace('-', '').padStart(7, '0')
  const sign = String(ustx).startsWith('-') ? '−' : ''
  return `${sign}${grouped(text.slice(0, -6))}.${text.slice(-6)} STX`
}

const WEI = 1e18
/** The coin of a unit like `wei.RBTC`; undefined for all others. */
const coinOf = (unit: string): string | undefined => (unit.startsWith('wei.') ? unit.slice(4) : undefined)

/** Exact coins of an integer number of base units, without zeros at the end. */
export function exactUnits(amount: string | number, decimals: number): string {
  const text = String(amount)
    .replace('-', '')
    .padStart(decimals + 1, '0')
  const sign = String(amount).startsWith('-') ? '−' : ''
  const fraction = decimals === 0 ? '' : text.slice(-decimals).replace(/0+$/, '')
  return `${sign}${grouped(decimals === 0 ? text : text.slice(0, -decimals))}${fraction === '' ? '' : `.${fraction}`}`
}

/** Below this an amount is told in billionths of the coin. */
const LEAST_COIN_WEI = 1e14
/** Coins that stand for a bitcoin: small amounts of them are told in satoshis. */
const BITCOINS = new Set(['BTC', 'RBTC'])
const WEI_PER_SAT = 1e10

function weiText(wei: number, coin: string): string {
  if (BITCOINS.has(coin) && wei !== 0 && Math.abs(wei) < LEAST_BTC_SAT * WEI_PER_SAT)
    return `${significant(wei / WEI_PER_SAT, 5)} sat`
  return wei === 0 || Math.abs(wei) >= LEAST_COIN_WEI
    ? `${compactNumber(wei / WEI)} ${coin}`
    : `${significant(wei / 1e9)} gwei`
}

/** Exact bitcoins of an integer number of satoshis, all eight decimals. */
export function exactBtc(sat: string | number): string {
  const text = String(sat).replace('-', '').padStart(9, '0')
  const sign = String(sat).startsWith('-') ? '−' : ''
  return `${sign}${grouped(text.slice(0, -8))}.${text.slice(-8)} BTC`
}

/** Exact bitcoins for a table, where the unit stands in the head and the decimal points stand in line. */
export const btcCell = (sat: string | number): string => exactBtc(sat).replace(' BTC', '')

/** Writes a value in its unit; `–` where it is not known. */
export function figureText(value: Value, unit: string): FigureText {
  const { text, full } = written(value, unit)
  const space = text.indexOf(' ')
  const cut = space === -1 ? text.length : space
  return { text, full, number: text.slice(0, cut), tail: text.slice(cut + 1) }
}

function written(value: Value, unit: string): { text: string; full: string } {
  if (value === null || value === undefined) return { text: '–', full: 'not known' }
  const number = Number(value)
  if (!Number.isFinite(number)) return { text: String(value), full: String(value) }
  const exact = typeof value === 'string' ? value : plain(number)
  const coin = coinOf(unit)
  if (coin !== undefined)
    return {
      text: weiText(number, coin),
      full: `${Number.isInteger(number) ? exactUnits(exact, 18) : grouped(plain(number / WEI))} ${coin}`,
    }
  switch (unit) {
    case 'sat':
      return { text: satText(number), full: `${grouped(exact)} sat` }
    case 'uSTX':
      return { text: `${compactNumber(number / USTX_PER_STX)} STX`, full: exactStx(exact) }
    case 'BTC':
      return { text: `${compactNumber(number)} BTC`, full: `${grouped(exact)} BTC` }
    case 'USD':
    case 'USD/BTC':
      return { text: usdText(number), full: `${grouped(cents(number))} USD` }
    case 'USD/PH/s/day':
      return { text: `${usdText(number)} /PH/s/day`, full: `${grouped(cents(number))} USD a PH/s and day` }
    case 'ratio':
      return { text: percentText(number), full: percentText(number, 4) }
    case 'grade':
      return gradeText(number)
    case 's':
      return { text: secondsText(number), full: `${grouped(exact)} seconds` }
    case 'B':
    case 'bytes':
      return { text: bytesText(number), full: `${grouped(exact)} bytes` }
    default: {
      const tailOf = (said: string) =>
        BARE.has(unit) ? '' : ` ${said === '1' ? oneOf(unitText(unit)) : unitText(unit)}`
      const [short, whole] = [compactNumber(number), grouped(exact)]
      return { text: `${short}${tailOf(short)}`, full: `${whole}${tailOf(whole)}` }
    }
  }
}

/** `companies` → `company`, `addresses` → `address`, `mints/h` → `mint/h`; `EH/s` stays. */
const oneOf = (unit: string): string =>
  unit
    .replace(/^people\b/, 'person')
    .replace(/ies(?=\/|$)/, 'y')
    .replace(/(?<=ss)es(?=\/|$)|(?<=[a-z]{3})s(?=\/|$)/, '')

/** The unit as a chart’s subtitle says it; `top` is the largest value on its axis. */
export function unitText(unit: string, top = Number.POSITIVE_INFINITY): string {
  if (unit === 'ratio') return 'percent'
  if (unit === 'sat') return top < LEAST_BTC_SAT ? 'sat' : 'BTC'
  if (unit === 'uSTX') return 'STX'
  const coin = coinOf(unit)
  if (coin !== undefined) return coin
  if (unit === 's') return 'seconds'
  if (unit === 'B') return 'bytes'
  if (unit === 'USD/BTC') return 'USD'
  return unit === '–' || unit === 'n' || unit === 'difficulty' ? '' : unit
}

/** Words of trust from little to much, as publishers grade it: 1 is the first. */
const GRADES = ['Low', 'Medium', 'High', 'Very High', 'Critical']

function gradeText(place: number): { text: string; full: string } {
  const word = GRADES[place - 1]
  return word === undefined
    ? { text: '–', full: 'no grade' }
    : { text: word, full: `${word}, ${place} of ${GRADES.length}` }
}

function plain(number: number): string {
  return Number.isInteger(number)
    ? number.toFixed(0)
    : trimZeros(number.toPrecision(12).includes('e') ? String(number) : number.toPrecision(12))
}

const cents = (usd: number): string => (Math.abs(usd) >= 1 ? usd.toFixed(2) : trimZeros(usd.toFixed(6)))

function usdText(usd: number): string {
  const sign = usd < 0 ? '−' : ''
  const size = Math.abs(usd)
  if (size < 1000 && size >= 1) return `${sign}$${size.toFixed(2)}`
  return `${sign}$${compactNumber(size)}`
}

/** 0.0235 → `2.35 %`. */
export function percentText(ratio: number, digits = 3): string {
  const percent = ratio * 100
  const size = Math.abs(percent)
  if (size >= 1e6) return `${compactNumber(percent)}${THIN}%`
  const decimals =
    size >= 100 ? 0 : Math.min(4, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.max(size, 0.001)))))
  return `${grouped(trimZeros(percent.toFixed(decimals)))}${THIN}%`
}

function secondsText(seconds: number): string {
  if (Math.abs(seconds) < 90) return `${significant(seconds, 3)} s`
  const minutes = Math.floor(seconds / 60)
  const rest = Math.round(seconds % 60)
  if (minutes >= 180) return `${significant(seconds / 3600, 3)} h`
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`
}

function bytesText(bytes: number): string {
  if (Math.abs(bytes) < 1000) return `${significant(bytes)} B`
  const [factor, letter] = PREFIXES.find(([from]) => Math.abs(bytes) >= from) ?? [1, '']
  return `${significant(bytes / factor, 3)} ${letter === 'B' ? 'G' : letter}B`
}

/** A change as the reader sees it: sign, size; `null` where the older figure is missing. */
export function changeText(change: number): string {
  const size = percentText(Math.abs(change), 2)
  // What rounds to nothing went neither up nor down.
  const sign = !/[1-9]/.test(size) ? '' : change > 0 ? '+' : '−'
  return `${sign}${size}`
}

/** Tick labels of a linear axis share their letter; a logarithmic one spans too much for that. */
export function tickTexts(ticks: readonly number[], unit: string, isLog = false): string[] {
  if (isLog) return ticks.flatMap(tick => tickTexts([tick], unit))
  const isBtc = unitText(unit, Math.max(...ticks.map(Math.abs))) === 'BTC'
  const scaled =
    unit === 'sat' && isBtc
      ? ticks.map(tick => tick / SAT_PER_BTC)
      : unit === 'uSTX'
        ? ticks.map(tick => tick / USTX_PER_STX)
        : unit === 'ratio'
          ? ticks.map(tick => tick * 100)
          : coinOf(unit) !== undefined
            ? ticks.map(tick => tick / WEI)
            : ticks
  const top = Math.max(...scaled.map(Math.abs), 0)
  const [factor, letter] = (top >= 10_000 && top < MOST
    ? PREFIXES.find(([from]) => top >= from)
    : undefined) ?? [1, '']
  const tail = unit === 'ratio' ? `${THIN}%` : letter
  const head = unit.startsWith('USD') && !unit.includes('PH') ? '$' : ''
  // As many digits as it takes to tell neighbours apart.
  const written = [3, 4, 5, 6, 7]
    .map(digits => scaled.map(tick => significant(tick / factor, digits)))
    .find(texts => new Set(texts).size === texts.length)
  return scaled.map((tick, index) => {
    const text = written?.[index] ?? significant(tick / factor, 7)
    return tick < 0
      ? `−${head}${text.slice(1)}${tail}`
      : `${head}${text}${tick === 0 && unit !== 'ratio' ? '' : tail}`
  })
}
