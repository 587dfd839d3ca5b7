import { type Choice, Choices } from '../../blocks/Choices.tsx'
import {
  CUSTODIES,
  coinsOf,
  type Filter,
  type Row,
  readYieldView,
  shownRows,
  type YieldView,
} from './yieldView.ts'

type Props = { rows: readonly Row[]; view: YieldView }

/** Choices beyond this many would fill the screen: the others are reached by the table’s own filter. */
const MOST_ASSETS = 8
const FLOOR_WORDS = { '100k': 'From $100,000', '1m': 'From $1M', '10m': 'From $10M', any: 'Any' }

/** What of the ways is shown: links, so that each choice has an address and needs no script. */
export function Filters({ rows, view }: Props) {
  /** Rows that the choice would leave, whatever else is chosen. */
  const counted = (filter: Filter, key: string, value: string | undefined) => {
    const query = new URLSearchParams(value === undefined ? {} : { [key]: value })
    const chosen = { ...view, [filter]: readYieldView(query, rows)[filter] }
    const left = shownRows(rows, chosen).length
    return { rows: left, of: left === 1 ? 'opportunity' : 'opportunities' }
  }
  const choice = (filter: Filter, key: string, value: string | undefined, label: string): Choice => ({
    value,
    label,
    count: counted(filter, key, value),
  })
  const all = (filter: Filter, key = filter as string) => choice(filter, key, undefined, 'All')
  return (
    <Choices
      rows={[
        {
          label: 'Asset',
          name: 'asset',
          current: view.asset,
          choices: [
            all('asset'),
            ...mostNamed(rows.flatMap(coinsOf)).map(coin => choice('asset', 'asset', coin, coin)),
          ],
        },
        {
          label: 'Layer',
          name: 'layer',
          current: view.layer,
          choices: [
            all('layer'),
            ...mostNamed(rows.map(({ layer }) => String(layer))).map(layer =>
              choice('layer', 'layer', layer, layer),
            ),
          ],
        },
        {
          label: 'Custody',
          name: 'custody',
          current: view.custody,
          choices: [all('custody'), ...CUSTODIES.map(kind => choice('custody', 'custody', kind, kind))],
        },
        {
          label: 'IL exposure',
          name: 'il',
          current: view.noIl ? 'no' : undefined,
          choices: [
            all('noIl', 'il'),
            {
              ...choice('noIl', 'il', 'no', 'Bitcoin only'),
              title: 'No coin that moves against bitcoin, so no impermanent loss',
            },
          ],
        },
        {
          label: 'Size',
          name: 'floor',
          current: view.floor === '100k' ? undefined : view.floor,
          choices: (['100k', '1m', '10m', 'any'] as const).map(floor =>
            choice('floor', 'floor', floor === '100k' ? undefined : floor, FLOOR_WORDS[floor]),
          ),
        },
        {
          label: 'Age',
          name: 'age',
          current: view.age,
          choices: [all('age'), choice('age', 'age', '90d', '90 days'), choice('age', 'age', '1y', 'A year')],
        },
      ]}
    />
  )
}

/** The names that come most often, the first of them first. */
function mostNamed(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .toSorted(([a, n], [b, m]) => m - n || a.localeCompare(b, 'en'))
    .slice(0, MOST_ASSETS)
    .map(([name]) => name)
}
