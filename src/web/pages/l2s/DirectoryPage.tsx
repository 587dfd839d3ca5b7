import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { siteContext } from '#http/context.ts'
import type { DirectoryLayer, LayerDirectory } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { type Counted, CountStrip } from '../../blocks/CountStrip.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { addressWith, needsFigures } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { exactBtc, figureText } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from '../stacks/Stacks.module.css'
import { readDirectoryView, shownLayers } from './directoryView.ts'
import { Filters } from './Filters.tsx'
import { HowGraded } from './HowGraded.tsx'
import { LayersTable } from './LayersTable.tsx'
import { loadDirectory } from './loadDirectory.server.ts'
import { TrustMap } from './TrustMap.tsx'
import { STATUSES } from './words.ts'

const QUESTION = 'Which layers build on Bitcoin, what do they hold, and whom do you trust on each?'

export async function loader({ url, context }: LoaderFunctionArgs) {
  const directory = await loadDirectory(url, context)
  return { ...directory, publicUrl: context.get(siteContext).publicUrl }
}

/** The list is here whole: filters and the map only choose from it. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  const count = loaderData?.items.length
  return pageMeta({
    title: 'Bitcoin L2s',
    path: '/bitcoin/l2s',
    description: count === undefined ? QUESTION : `${QUESTION} ${count} layers with their published grades.`,
    publicUrl: loaderData?.publicUrl,
  })
}

/** Every Bitcoin layer of the catalogue: type, status, bitcoin held, trust. */
export default function DirectoryPage() {
  const { items, totals, mark } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const view = readDirectoryView(new URLSearchParams(search))
  const shown = shownLayers(items.toSorted(byWeight), view)
  return (
    <>
      <HeadingBlock title="Bitcoin L2s" question={QUESTION} mark={mark}>
        <FileLink icon="code" label="This list as JSON" href="/api/v1/layers" />
      </HeadingBlock>
      <CountStrip label="Key figures" counts={countsOf(items, totals, search)} />
      <Filters layers={items} view={view} />
      <div className={styles.body}>
        <LayersTable layers={shown} />
        <TrustMap layers={shown} by={view.by} />
      </div>
      <HowGraded />
    </>
  )
}

/** Those that hold most first, then what people can use and somebody has reviewed, then by name. */
function byWeight(a: DirectoryLayer, b: DirectoryLayer): number {
  const held = ({ figures }: DirectoryLayer) => Number(figures.btc?.value ?? -1)
  const statuses = Object.keys(STATUSES)
  const place = ({ status }: DirectoryLayer) => statuses.indexOf(status)
  return (
    held(b) - held(a) ||
    place(a) - place(b) ||
    Number(b.isReviewed) - Number(a.isReviewed) ||
    a.name.localeCompare(b.name, 'en')
  )
}

function countsOf(
  items: LayerDirectory['items'],
  totals: LayerDirectory['totals'],
  search: string,
): Counted[] {
  const count = (isCounted: (item: LayerDirectory['items'][number]) => boolean) =>
    String(items.filter(isCounted).length)
  const cleared = { family: undefined, status: undefined, reviewed: undefined }
  const to = (chosen: object) => addressWith(search, { ...cleared, ...chosen })
  return [
    { label: 'Layers listed', text: String(items.length), about: 'of every kind and status', to: to({}) },
    {
      label: 'On a main network',
      text: count(({ status }) => status === 'mainnet'),
      about: 'by latest status',
      to: to({ status: 'mainnet' }),
    },
    {
      label: 'Reviewed',
      text: count(({ isReviewed }) => isReviewed),
      about: 'with published grades of trust',
      to: to({ reviewed: 'yes' }),
    },
    {
      label: 'BTC bridged',
      text: totals.btcSat === null ? '–' : figureText(totals.btcSat, 'sat').text,
      ...(totals.btcSat !== null && { full: exactBtc(totals.btcSat) }),
      about:
        totals.btcSat === null ? 'No data yet' : `${totals.covers} of ${totals.of} layers${daysOf(totals)}`,
      to: addressWith(search, { 'layers.sort': '-btc' }),
    },
  ]
}

/** The sum takes each layer’s newest day. */
function daysOf({ from, to }: LayerDirectory['totals']): string {
  if (from === null || to === null) return ''
  return from === to ? `, ${dayText(to)}` : `, oldest part: ${dayText(from)}`
}

export const ErrorBoundary = PageError
