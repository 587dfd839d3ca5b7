import { type ReactNode, useState } from 'react'
import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import type { LayerProfile } from '#http/contract.ts'
import { changedKeys } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Contents } from '../../blocks/Contents.tsx'
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
  if (!loaderData) return []
  const { layer, description, publicUrl } = loaderData
  return pageMeta({
    title: `${layer.name} as a Bitcoin layer`,
    path: profilePath(layer.slug),
    description,
    publicUrl,
  })
}

type Part = { id: string; label: string; node: ReactNode }

/** One Bitcoin layer: what it is, whom a holder trusts, what it holds, how bitcoin gets in and out. */
export default function LayerProfilePage() {
  const { layer, kpis, specs, charts, addresses, sources, mark } = useLoaderData<typeof loader>()
  const [crosshair] = useState(createCrosshair)
  const full = fullPageOf(useSite(), layer.slug)
  const all: (Part & { isThere?: boolean })[] = [
    { id: 'about', label: 'What it is', node: <About layer={layer} /> },
    { id: 'trust', label: 'Whom to trust', node: <TrustTable layer={layer} /> },
    {
      id: 'figures',
      label: 'Figures',
      isThere: charts.length > 0,
      node: (
        <ChartGrid
          specs={specs}
          charts={charts}
          events={layer.events}
          remedy="Sources are polled automatically if this server has internet. Their data appears here."
        />
      ),
    },
    { id: 'ways', label: 'In and out', node: <Ways layer={layer} /> },
    { id: 'marks', label: 'On Bitcoin', isThere: layer.rules.length > 0, node: <Rules layer={layer} /> },
    { id: 'coins', label: 'Tokens', isThere: layer.tokens.length > 0, node: <TokenTable layer={layer} /> },
    {
      id: 'contracts',
      label: 'Contracts',
      isThere: addresses.length > 0,
      node: <AddressTable rows={addresses} />,
    },
    {
      id: 'applications',
      label: 'Applications',
      isThere: layer.protocols.length > 0,
      node: <ProtocolTable layer={layer} />,
    },
    { id: 'history', label: 'Incidents and upgrades', node: <History layer={layer} /> },
  ]
  const parts = all.filter(({ isThere }) => isThere !== false)
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
      <Contents parts={parts} />
      <div className={styles.body}>
        {parts.map(({ id, node }) => (
          <div key={id} id={id} className={styles.body}>
            {node}
          </div>
        ))}
      </div>
      <HowGraded sources={sources} origin={layer.origin} />
    </CrosshairContext>
  )
}

/** How bitcoin gets onto the layer and back, step by step. */
function Ways({ layer }: { layer: LayerProfile }) {
  const { paths, bridge } = layer
  return (
    <Card
      title="How bitcoin gets in and out"
      sub={
        paths.length > 0
          ? capitalised(bridge ?? 'step by step')
          : 'No public source reviewed describes the steps'
      }
    >
      {paths.length === 0 ? (
        <p className={styles.note}>
          {bridge === null
            ? 'No data on whether or how bitcoin can be bridged to it.'
            : `In short: ${bridge}.`}
        </p>
      ) : (
        paths.map(path => <PathDiagram key={`${path.direction} ${path.name}`} path={path} layer={layer} />)
      )}
    </Card>
  )
}

export const ErrorBoundary = PageError
