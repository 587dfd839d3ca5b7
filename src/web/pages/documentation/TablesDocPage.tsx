import { Link, type LoaderFunctionArgs, type MetaArgs, useLoaderData } from 'react-router'
import { siteContext } from '#http/context.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { TEXT } from '../../shell/calm.ts'
import { PageError } from '../../shell/PageError.tsx'
import { loadTables, type ReadableTable } from '../loadTables.server.ts'
import { pageMeta } from '../pageMeta.ts'

const QUESTION = 'Everything that SQL can read. Each table opens to its columns, their types and units.'

export const loader = async ({ context }: LoaderFunctionArgs) => ({
  tables: await loadTables(context),
  publicUrl: context.get(siteContext).publicUrl,
})

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Tables, documentation',
    description: QUESTION,
    path: '/documentation/tables',
    publicUrl: loaderData?.publicUrl,
  })

const COLUMNS: TableColumn<ReadableTable>[] = [
  {
    key: 'table',
    label: 'Table',
    value: ({ table }) => table,
    cell: ({ table }) => <Link to={`/documentation/tables/${table}`}>{table}</Link>,
  },
  { key: 'columns', label: 'Columns', isNumber: true, value: ({ columns }) => columns },
  { key: 'about', label: 'Contents', value: ({ about }) => about },
]

/** All tables, to be searched. */
export default function TablesDocPage() {
  const { tables } = useLoaderData<typeof loader>()
  return (
    <>
      <HeadingBlock title="Tables" question={QUESTION} />
      <TableCard
        id="tables"
        title={`${tables.length} tables`}
        rows={tables}
        columns={COLUMNS}
        rowKey={({ table }) => table}
        words={({ table, about }) => `${table} ${about}`}
      />
    </>
  )
}

export const handle = TEXT

export const ErrorBoundary = PageError
