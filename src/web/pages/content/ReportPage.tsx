import { useState } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import type { Report } from '#http/contract.ts'
import { changedKeys } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Contents } from '../../blocks/Contents.tsx'
import { CopyText } from '../../blocks/CopyText.tsx'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button, ButtonLink, FileLink } from '../../ui/Button.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { pageMeta } from '../pageMeta.ts'
import { GateCard } from './GateCard.tsx'
import { loadReport } from './loadReport.server.ts'
import { FigureInText, FiguresOfReport } from './ReportFigures.tsx'
import styles from './Reports.module.css'
import { type Lock, useGated } from './useGated.ts'
import { Written } from './Written.tsx'
import { wordsOf } from './wordsOf.ts'

export const loader = ({ params, url, context }: LoaderFunctionArgs) =>
  loadReport(params.reportKey ?? '', url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || changedKeys(currentUrl, nextUrl).some(needsFigures)
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { report, publicUrl } = loaderData
  return pageMeta({
    title: report.title,
    description: report.summary,
    path: `/reports/${report.key}`,
    publicUrl,
  })
}

/** One report: text with numbers that open, as published beside now. */
export default function ReportPage() {
  const { report } = useLoaderData<typeof loader>()
  return report.isWhole ? <ReportView report={report} /> : <GatedReport report={report} />
}

/** Who reads is known only later: what all may read does not hang on it, or its charts would be drawn twice. */
function GatedReport({ report }: { report: Report }) {
  const { text, lock } = useGated<Report>(`/api/v1/cms/reports/${report.key}`, report.requires)
  return <ReportView report={text ?? report} lock={lock} />
}

function ReportView({ report, lock }: { report: Report; lock?: Lock }) {
  const { specs, charts, csvHref, sqlHref, publicUrl } = useLoaderData<typeof loader>()
  const [crosshair] = useState(createCrosshair)
  const headings = report.blocks.flatMap(block =>
    block.type === 'heading' && block.depth === 2 ? [{ id: block.id, label: wordsOf(block.children) }] : [],
  )
  return (
    <CrosshairContext value={crosshair}>
      <article>
        <HeadingBlock title={report.title} question={report.summary}>
          {specs.length > 0 && (
            <>
              <FileLink icon="code" label="SQL of all figures here" href={sqlHref} />
              <FileLink icon="download" label="All figures here as CSV" href={csvHref} />
            </>
          )}
          <Button small onClick={() => window.print()} data-needs-script>
            Print or PDF
          </Button>
          <ButtonLink to="/reports" small>
            All reports
          </ButtonLink>
        </HeadingBlock>
        <p className={styles.about}>
          {report.topic} · published {dayText(report.published)}
          {report.updated !== null && `, changed ${dayText(report.updated)}`} · {report.minutes} min
          {report.requires !== null && ' · Premium'}
        </p>
        {report.isWhole && (
          <Contents parts={[...headings, { id: 'figures', label: 'Its figures, then and now' }]} />
        )}
        <div className={styles.body}>
          <Written
            blocks={report.blocks}
            notes={report.notes}
            figure={place => <FigureInText figure={report.figures[place]} />}
            chart={id => (
              <ChartGrid
                specs={specs.filter(spec => spec.id === id)}
                charts={charts}
                events={[]}
                remedy="Figures come from the bundled snapshot, or from the chain once it is indexed."
              />
            )}
          />
          {!report.isWhole && lock && <GateCard requires={report.requires} lock={lock} />}
          {report.isWhole && <FiguresOfReport figures={report.figures} />}
          <SourcesOf sources={report.sources} />
          <Cite report={report} publicUrl={publicUrl} />
        </div>
      </article>
    </CrosshairContext>
  )
}

function SourcesOf({ sources }: Pick<Report, 'sources'>) {
  if (sources.length === 0) return null
  return (
    <Card title="Sources">
      <ul className={styles.sources}>
        {sources.map(({ title, url }) => (
          <li key={url}>
            <a href={url} rel="noopener noreferrer">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Cite({ report, publicUrl }: { report: Report; publicUrl: string | undefined }) {
  const [year, month] = report.published.split('-')
  const bibtex = `@techreport{assay-${report.key},
  title = {${report.title}},
  institution = {Assay},
  year = {${year}},
  month = {${Number(month)}},
  url = {${publicUrl}/reports/${report.key}}
}`
  return (
    <Card title="Cite" sub="BibTeX">
      <div className={styles.cite}>
        <CopyText text={bibtex} what="the BibTeX" />
      </div>
    </Card>
  )
}

export const ErrorBoundary = PageError
