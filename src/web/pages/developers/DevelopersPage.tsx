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
      lead={<EndingEarly table={tables.find(({ id }) => id === 'repositories')} />}
      remedy="Recorded histories come with the bundled snapshot and end in August 2026; with DEVELOPERS=on this server clones the repositories of the catalogue and reads on."
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

/** Recordings that end before the others: what falls after them is partly the recording. */
function EndingEarly({ table }: { table: ApplicationTable | undefined }) {
  const early = (table?.rows ?? []).filter(
    ({ how, held }) => String(how).startsWith('recorded') && /\bto \d/.test(String(held)),
  )
  if (early.length === 0) return null
  return (
    <Card title="Some recordings end before the others">
      <p className={styles.note}>
        {early
          .map(({ repository, held }) => `${repository} on ${dayText(String(held).slice(-10))}`)
          .join(', ')}
        . Their people seem to leave then: what falls after those days is partly the recording. Where others
        fell silent or were recorded early, nobody says; the last commit of each stands in the table of
        repositories.
      </p>
    </Card>
  )
}

function Method() {
  return (
    <Card
      title="How people are counted"
      foot="No name and no address is kept: a person is a keyed hash in rows that no query reaches, and what leaves them are counts."
    >
      <Facts
        facts={[
          {
            label: 'Who is one person',
            value:
              'Addresses that a repository’s mailmap joins, forms of one address that its host gives, and addresses under one full name within a repository. Groups of more than 30 addresses are not believed. In the recording an address is a person.',
            isWide: true,
          },
          {
            label: 'What counts',
            value:
              'Commits of the default branch that are no merge, by no program, with a clock that can be right, and not made elsewhere before: forks count what is their own, a rebased commit keeps its day and counts once.',
            isWide: true,
          },
          {
            label: 'What is not seen',
            value:
              'Reviews, issues, research, design; branches that were never merged; closed repositories; co-authors of a squashed commit. Repositories are those of each protocol and its main applications, by our choice: an ecosystem with many small projects is counted low.',
            isWide: true,
          },
        ]}
      />
    </Card>
  )
}

export const ErrorBoundary = PageError
