import { type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { runAddress, useSqlToken } from '../../assay/runAddress.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { loadTable, type ReadableColumn } from '../loadTables.server.ts'
import { pageMeta } from '../pageMeta.ts'
import styles from './Documentation.module.css'

export const loader = async ({ params, context }: LoaderFunctionArgs) => ({
  ...(await loadTable(params.table ?? '', context)),
  publicUrl: context.get(siteContext).publicUrl,
})

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  loaderData
    ? pageMeta({
        title: `${loaderData.table}, table`,
        description: loaderData.about,
        path: `/documentation/tables/${loaderData.table}`,
        publicUrl: loaderData.publicUrl,
      })
    : []

const COLUMNS: TableColumn<ReadableColumn>[] = [
  { key: 'name', label: 'Column', value: ({ name }) => name },
  { key: 'type', label: 'Type', value: ({ type }) => type },
  { key: 'comment', label: 'What it says', value: ({ comment }) => comment },
]

/** The columns of one table. */
export default function TableDocPage() {
  const { table, about, columns, example } = useLoaderData<typeof loader>()
  const page = `/documentation/tables/${table}`
  const token = useSqlToken()
  return (
    <>
      <HeadingBlock title={table} question={about}>
        <ButtonLink to="/documentation/tables" small>
          All tables
        </ButtonLink>
      </HeadingBlock>
      <TableCard
        id="columns"
        title={`${columns.length} columns`}
        rows={columns}
        columns={COLUMNS}
        rowKey={({ name }) => name}
        words={({ name, comment }) => `${name} ${comment}`}
      />
      <Card title="An example" sub="Ten rows as they come; change it as you like">
        <ScrollRegion label="SQL of the example" className={styles.sql}>
          <code>{example}</code>
        </ScrollRegion>
        <p className={styles.ways}>
          <ButtonLink to={runAddress(example, page, token)} small>
            Run it
          </ButtonLink>
          <ButtonLink to="/documentation/console?op=runSql" small>
            SQL in the API console
          </ButtonLink>
        </p>
      </Card>
    </>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
