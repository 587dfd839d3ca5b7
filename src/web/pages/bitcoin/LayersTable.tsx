import { Link, useLocation } from 'react-router'
import { addressOfAssay } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { profilePath } from '../l2s/words.ts'
import styles from './LayersTable.module.css'
import type { LayerRow } from './loadLayerRows.server.ts'

/** Column heads, in the order of the list of metrics. */
const HEADS = [
  ['l1.tx', 'Transactions'],
  ['l1.vbytes', 'Block space'],
  ['l1.share_of_blockspace', 'Share of space'],
  ['l1.fees', 'Fees paid'],
  ['l1.cost_per_tx', 'A transaction'],
  ['l1.value', 'Value moved'],
  ['merge_mining.share', 'Merge-mined'],
  ['stake.btc', 'Staked'],
] as const

/** What each layer does on Bitcoin by its newest whole day, and the rules by which that is told. */
export function LayersTable({ rows }: { rows: readonly LayerRow[] }) {
  const { search } = useLocation()
  const columns: readonly TableColumn<LayerRow>[] = [
    {
      key: 'layer',
      label: 'Layer',
      value: ({ name }) => name,
      cell: ({ slug, name }) => <Link to={profilePath(slug)}>{name}</Link>,
    },
    ...HEADS.map(
      ([metric, label]): TableColumn<LayerRow> => ({
        key: metric.replace('.', '-'),
        label,
        isNumber: true,
        value: ({ figures }) => {
          const value = figures[metric]?.value
          return value == null ? null : Number(value)
        },
        cell: ({ slug, name, figures }) => {
          const figure = figures[metric]
          if (figure === undefined) return <span className={styles.quiet}>–</span>
          const { text, full } = figureText(figure.value, figure.unit)
          return (
            <Link
              to={addressOfAssay(search, `${metric}@${slug}`)}
              title={`${full}, ${dayText(figure.day)}`}
              aria-label={`${text}: ${name}, ${label.toLowerCase()}, ${dayText(figure.day)}. Open its assay view.`}
              preventScrollReset
            >
              {text}
            </Link>
          )
        },
      }),
    ),
    {
      key: 'rule',
      label: 'Told by',
      value: ({ rules }) => rules.map(({ tag }) => tag).join(', '),
      cell: ({ rules }) => (
        <span className={styles.tags}>
          {rules.map(({ id, tag, name, recognises }) => (
            <code key={id} title={`${name}: ${recognises}`}>
              {tag}
            </code>
          ))}
        </span>
      ),
    },
  ]
  return (
    <>
      <TableCard
        id="bylayer"
        title="By layer"
        sub="Each figure is for its latest full day. A dash means that the layer leaves no such mark, or no full day is indexed"
        rows={rows}
        columns={columns}
        rowKey={({ slug }) => slug}
        words={({ name, rules }) => `${name} ${rules.map(({ name: rule }) => rule).join(' ')}`}
      />
      <Card
        title="How layers are identified on Bitcoin"
        sub="One rule per mark, with its source on the layer’s page. Transactions that match no rule are not counted for a layer"
      >
        <dl className={styles.rules}>
          {rows.flatMap(({ slug, name, rules }) =>
            rules.map(rule => (
              <div key={rule.id}>
                <dt>
                  <Link to={profilePath(slug)}>{name}</Link>: {rule.name}
                </dt>
                <dd>{rule.recognises}</dd>
                <dd className={styles.quiet}>Not covered: {rule.notCovered}</dd>
              </div>
            )),
          )}
        </dl>
      </Card>
    </>
  )
}
