import { useState } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { changedKeys } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { CrosshairContext, createCrosshair } from '../../blocks/chart/crosshair.ts'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { KpiStrip } from '../../blocks/Kpi.tsx'
import { PageControls } from '../../blocks/PageControls.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { useSite } from '../../shell/layers.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from '../stacks/Stacks.module.css'
import { About } from './About.tsx'
import { History } from './History.tsx'
import { HowGraded } from './HowGraded.tsx'
import { loadProfile } from './loadProfile.server.ts'
import { PathDiagram } from './PathDiagram.tsx'
import { AddressTable, ProtocolTable, TokenTable } from './ProfileTables.tsx'
import { Rules } from './Rules.tsx'
import { TrustTable } from './TrustTable.tsx'
import { capitalised, fullPageOf, profilePath } from './words.ts'

export const loader = ({ params, url, context }: LoaderFunctionArgs) =>
  loadProfile(params.name ?? '', url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || changedKeys(currentUrl, nextUrl).some(needsFigures)
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return [{ title: 'Bitcoin layer · Assay' }]
  const { layer, description, publicUrl } = loaderData
  return pageMeta({
    title: `${layer.name} as a Bitcoin layer`,
    path: profilePath(layer.slug),
    description,
    publicUrl,
  })
}

/** One Bitcoin layer: what it is, how bitcoin gets in and out, whom a holder trusts, what it holds. */
export default function LayerProfilePage() {
  const { layer, kpis, specs, charts, addresses, sources, mark } = useLoaderData<typeof loader>()
  const [crosshair] = useState(createCrosshair)
  const full = fullPageOf(useSite(), layer.slug)
  return (
    <CrosshairContext value={crosshair}>
      <HeadingBlock title={layer.name} question={layer.sentence} mark={mark}>
        <ButtonLink to="/bitcoin/l2s" small>
          All layers
        </ButtonLink>
        {full && (
          <ButtonLink to={full.path} small look="primary">
            {full.label} in figures
          </ButtonLink>
        )}
      </HeadingBlock>
      {charts.length > 0 && <PageControls />}
      <KpiStrip figures={kpis} />
      <div className={styles.body}>
        <About layer={layer} />
        <Card
          title="How bitcoin gets in and out"
          sub={
            layer.paths.length > 0
              ? capitalised(layer.bridge ?? 'step by step')
              : 'No public source that was read describes a way step by step'
          }
        >
          {layer.paths.length === 0 ? (
            <p className={styles.note}>
              {layer.bridge === null
                ? 'Whether and how bitcoin gets onto it is not known.'
                : `What is known of it in a line: ${layer.bridge}.`}
            </p>
          ) : (
            layer.paths.map(path => (
              <PathDiagram key={`${path.direction} ${path.name}`} path={path} layer={layer} />
            ))
          )}
        </Card>
        <TrustTable layer={layer} />
        {charts.length > 0 && (
          <ChartGrid
            specs={specs}
            charts={charts}
            events={layer.events}
            remedy="Publishers are asked by themselves where this server has internet; what they have given stands here."
          />
        )}
        <Rules layer={layer} />
        {layer.tokens.length > 0 && <TokenTable layer={layer} />}
        {addresses.length > 0 && <AddressTable rows={addresses} />}
        {layer.protocols.length > 0 && <ProtocolTable layer={layer} />}
        <History layer={layer} />
      </div>
      <HowGraded sources={sources} origin={layer.origin} />
    </CrosshairContext>
  )
}

export const ErrorBoundary = PageError
