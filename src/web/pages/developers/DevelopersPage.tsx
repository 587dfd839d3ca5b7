import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import type { ApplicationTable } from '#http/contract.ts'
import { changedKeys } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Choices } from '../../blocks/Choices.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FactTable } from '../apps/FactTable.tsx'
import { FiguresView } from '../chain/FiguresView.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from '../stacks/Stacks.module.css'
import { loadDevelopers } from './loadDevelopers.server.ts'
import { OverlapMatrix } from './OverlapMatrix.tsx'
import { ALL, DAYS, PATH, QUESTION } from './specs.ts'

export const loader = ({ url, context }: LoaderFunctionArgs) => loadDevelopers(url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return changedKeys(currentUrl, nextUrl).some(key => key === 'of' || needsFigures(key))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Developer Activity',
    path: PATH,
    description: loaderData?.description ?? QUESTION,
    publicUrl: loaderData?.publicUrl,
  })

/** Who builds what, and whether it lasts: counts, never people. */
export default function DevelopersPage() {
  const loaded = useLoaderData<typeof loader>()
  const { tables, shown, ecosystems } = loaded
  return (
    <FiguresView
      title="Developer Activity"
      loaded={loaded}
      days={DAYS}
      hasPrice={false}
      lead={<NotCounted table={tables.find(({ id }) => id === 'repositories')} />}
      remedy="Recorded histories come with the bundled snapshot and end in August 2026; with DEVELOPERS=on this server clones the repositories of the catalog and reads on."
      choice={
        <Choices
          rows={[
            {
              label: 'Whose',
              name: 'of',
              current: shown === ALL ? undefined : shown,
              choices: [
                { value: undefined, label: 'All' },
                ...ecosystems.map(({ id, name }) => ({ value: id, label: name })),
              ],
            },
          ]}
        />
      }
    >
      {tables.map(table =>
        table.id === 'overlap' ? (
          <OverlapMatrix key={table.id} table={table} />
        ) : (
          <FactTable key={table.id} table={table} of="developers" />
        ),
      )}
      <Method />
    </FiguresView>
  )
}

/** Repositories that no figure includes, since their histories do not cover the year. */
function NotCounted({ table }: { table: ApplicationTable | undefined }) {
  const rows = table?.rows ?? []
  const out = rows.filter(({ counted }) => counted === 'no')
  if (out.length === 0) return null
  return (
    <Card title={`${rows.length - out.length} of ${rows.length} repositories counted`}>
      <p className={styles.note}>
        Figures for all ecosystems exclude these on all days, because their histories do not cover the full
        year: {out.map(({ repository, held }) => `${repository} (${historyText(String(held))})`).join(', ')}.
      </p>
    </Card>
  )
}

/** `history to 1 Nov 2023`, from the days that the table says. */
const historyText = (held: string): string =>
  held === 'none' ? 'not read' : `history ${held.replaceAll(/\d{4}-\d\d-\d\d/g, day => dayText(day))}`

function Method() {
  return (
    <Card
      title="How people are counted"
      foot="No names or email addresses are stored. A person is a keyed hash in rows closed to queries, and only counts are published."
    >
      <Facts
        facts={[
          {
            label: 'One person',
            value:
              'Addresses merged by a repository’s mailmap, no-reply forms of one address, and addresses with the same full name within a repository. Groups of more than 30 addresses are ignored. In the recording, an address is a person.',
            isWide: true,
          },
          {
            label: 'What counts',
            value:
              'Commits on the default branch, without merges, bots, implausible clocks and copies. Forks count only their own commits. A rebased commit keeps its day and counts once.',
            isWide: true,
          },
          {
            label: 'What is missing',
            value:
              'Reviews, issues, research and design, unmerged branches, closed repositories, and co-authors of squashed commits. We select the repositories of each protocol and its main applications, so ecosystems with many small projects are undercounted.',
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}

export const ErrorBoundary = PageError
