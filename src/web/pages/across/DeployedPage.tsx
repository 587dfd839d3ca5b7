import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { Choices } from '../../blocks/Choices.tsx'
import { CountStrip } from '../../blocks/CountStrip.tsx'
import { shownPart } from '../../blocks/chart/chartSpec.ts'
import { dayOfList, listMark } from '../../blocks/load/listMark.server.ts'
import { PageControls } from '../../blocks/PageControls.tsx'
import { addressWith, needsFigures } from '../../blocks/view.ts'
import { grouped } from '../../format/figure.ts'
import type { SiteLayer } from '../../shell/layers.ts'
import { PageError } from '../../shell/PageError.tsx'
import { answering } from '../answering.server.ts'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { loadFigures } from '../chain/loadFigures.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import { type Covered, chainAsked, chainRow, coveredWith, useCovered } from './chains.ts'
import { DeployedTable, DeployersTable, FamiliesTable } from './DeployedTables.tsx'
import { HeldCard } from './Held.tsx'
import { ListHeading } from './ListHeading.tsx'
import { QUESTIONS } from './questions.ts'
import { needsRows } from './span.ts'

const PATH = '/contractsdeployed'
const QUESTION = QUESTIONS[PATH]
const VERSIONS = ['1', '2', '3', '4', '5', '6']

const figuresOf = (covered: Covered) =>
  ({
    question: QUESTION,
    kpis: [],
    charts: [
      {
        id: 'by-day',
        title: 'Contracts made by chain',
        kind: 'line',
        wide: true,
        lines: covered.ofContracts.map(chain => ({
          metric: 'contracts.deployed',
          entity: chain,
          label: covered.of(chain).name,
          isSum: true,
        })),
      },
    ],
  }) as const

/** What the list is narrowed to, as the address has it. */
function readView(query: URLSearchParams, layers: readonly SiteLayer[]) {
  const version = VERSIONS.find(one => one === query.get('version'))
  const deployer = query.get('deployer')
  const before = query.get('before')
  return {
    ...chainAsked(query, layers),
    ...(version && { version }),
    ...(deployer && /^(?:S[0-9A-Z]{20,50}(?:\.[\w-]+)?|0x[0-9a-fA-F]{40})$/.test(deployer) && { deployer }),
    ...(before && { before }),
  }
}

export async function loader({ url, context }: LoaderFunctionArgs) {
  const view = readView(url.searchParams, context.get(siteContext).layers)
  const { across, directory } = context.get(apiContext)
  const ofChain = view.chain === undefined ? {} : { chain: view.chain }
  const [list, summary, families, figures, events] = await answering('The list of contracts', () => {
    const asking = across.deployedSummary(ofChain)
    return Promise.all([
      across.deployed(view),
      asking,
      across.families(),
      loadFigures(figuresOf(coveredWith(context.get(siteContext).layers)), 'stacks', url, context, {
        days: asking.then(({ held }) => held.map(({ time }) => time.slice(0, 10))),
      }),
      directory.events(view.chain ?? 'bitcoin'),
    ])
  })
  return {
    list,
    summary,
    families,
    mark: listMark(summary.held, dayOfList(url), figures.asOfDays),
    view,
    charts: figures.charts,
    events,
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, key => needsRows(key) || needsFigures(key))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Contracts deployed',
    path: PATH,
    description: QUESTION,
    publicUrl: loaderData?.publicUrl,
  })

/** Contracts of all chains that have them: by day, by deployer, the list, and families of like code. */
export default function DeployedPage() {
  const covered = useCovered()
  const { list, summary, families, mark, view, charts, events } = useLoaderData<typeof loader>()
  const { search } = useLocation()
  const asked = new URLSearchParams(view).toString()
  const showsStacks = view.chain === undefined || view.chain === 'stacks'
  const inFamilies = families.families.reduce((sum, { contractCount }) => sum + contractCount, 0)
  return (
    <>
      <ListHeading
        title="Contracts deployed"
        question={QUESTION}
        path="/api/v1/contracts/deployed"
        asked={asked}
        ofFile="limit=200"
        mark={mark}
      />
      <CountStrip
        label="Key figures"
        counts={[
          {
            label: 'Indexed contracts',
            text: grouped(String(summary.contractCount)),
            about: `on ${summary.held.length} of ${view.chain === undefined ? covered.ofContracts.length : 1} chains`,
            to: addressWith(search, { deployer: undefined, version: undefined, before: undefined }),
          },
          {
            label: 'Families of like code',
            text: grouped(String(families.families.length)),
            about: `among ${grouped(String(families.comparedCount))} sources on Stacks`,
            to: '#families',
          },
          {
            label: 'In a family',
            text: grouped(String(inFamilies)),
            about: 'contracts that are like another one',
            to: '#families',
          },
        ]}
      />
      <PageControls hasPrice={false} />
      <Choices
        rows={[
          chainRow(covered, view.chain),
          ...(showsStacks
            ? [
                {
                  label: 'Clarity',
                  name: 'version',
                  current: view.version,
                  choices: [
                    { value: undefined, label: 'All versions' },
                    ...VERSIONS.map(version => ({ value: version, label: version })),
                  ],
                },
              ]
            : []),
        ]}
      />
      <div className={page.body}>
        <ChartGrid
          specs={figuresOf(covered).charts.map(shownPart)}
          charts={charts}
          events={events}
          remedy="Daily figures need indexed blocks of a chain. See below for how to load them."
        />
        <DeployedTable list={list} view={view} />
        <DeployersTable rows={summary.deployers} />
        {showsStacks && <FamiliesTable {...families} />}
        <HeldCard chains={view.chain === undefined ? covered.ofContracts : [view.chain]} held={summary.held}>
          <p>
            <strong>Made inside a call</strong>: contracts created by other contracts on EVM layers are
            included if a node offers traces, else missing. On Stacks, every contract is deployed by a
            transaction.
          </p>
          <p>
            <strong>Copies</strong> have byte-identical code: the same source on Stacks, the same code hash on
            EVM layers.
          </p>
          <p>
            <strong>Families</strong> are alike without being the same. Of a source its words count, without
            comments; texts, numbers, bytes and principals count as one of their kind. Five words in a row
            make a shingle, the 128 smallest hashes of all shingles stand for the source (bottom-k MinHash),
            and the share that two have in common is their likeness, to about 4 points. From{' '}
            {Math.round(families.threshold * 100)} % on a contract joins the oldest one that it is like. The
            newest {grouped(String(families.comparedCount))} sources held are compared.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

export const ErrorBoundary = PageError
