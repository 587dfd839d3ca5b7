import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext } from '#http/context.ts'
import type { StacksTableAnswer } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { pageMeta } from '../pageMeta.ts'
import { loadStacks } from './loadStacks.server.ts'
import { loadTables } from './loadTables.server.ts'
import { Sip033Activation, Sip033Vote, Sip034 } from './Sip033Facts.tsx'
import { Sip033Words } from './Sip033Words.tsx'
import styles from './Stacks.module.css'
import { StacksFigures } from './StacksFigures.tsx'
import { sip033 } from './sip033Spec.ts'

const TABLES = [
  'sip033-activation',
  'clarity-versions',
  'clarity-words',
  'clarity-first',
  'clarity-costs',
  'tenure-extends',
  'sip-results',
] as const
/** What the flags on the charts are about: versions of the language and epochs since SIP-033. */
const FLAGS_FROM = '2025-11-01'

export const loader = ({ url, context }: LoaderFunctionArgs) =>
  loadStacks(sip033, url, context, async () => {
    const [tables, events] = await Promise.all([
      loadTables(context, TABLES),
      context.get(apiContext).directory.events('stacks'),
    ])
    return { ...tables, events: events.filter(({ day }) => day >= FLAGS_FROM) }
  })

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsFigures)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'SIP-033: Clarity 4',
    path: '/stacks/sip-033',
    description: loaderData?.description ?? '',
    publicUrl: loaderData?.publicUrl,
  })

/** What a word’s row tells besides the word. */
const USES = ['contracts', 'calls']

/** A table of which no row is told says so in its own words: a dozen rows of dashes tell nothing. */
const toldOf = (table: StacksTableAnswer, keys: readonly string[]): StacksTableAnswer =>
  table.rows.some(row => keys.some(key => (row[key] ?? null) !== null)) ? table : { ...table, rows: [] }

/** SIP-033 with its rider SIP-034: what Clarity 4 brings, and whether it is used. */
export default function Sip033Page() {
  const loaded = useLoaderData<typeof loader>()
  const [activation, versions, words, firsts, costs, extensions, results] = loaded.tables
  return (
    <StacksFigures
      title="SIP-033"
      loaded={loaded}
      lead={
        <>
          <div className={styles.pair}>
            <Sip033Vote results={results} />
            <Sip033Activation activation={activation} />
          </div>
          <Sip033Words uses={words} />
        </>
      }
    >
      {[versions, words && toldOf(words, USES), firsts, costs].map(
        table => table && <FactTable key={table.id} table={table} />,
      )}
      <Sip034 />
      {[extensions, results].map(table => table && <FactTable key={table.id} table={table} />)}
    </StacksFigures>
  )
}

export const ErrorBoundary = PageError
