import {
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import type { Treasury } from '#http/contract.ts'
import { changedKeys } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { Facts } from '../../blocks/Facts.tsx'
import { needsFigures } from '../../blocks/view.ts'
import { dayText } from '../../format/day.ts'
import { figureText } from '../../format/figure.ts'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import { loadTreasury } from './loadTreasuries.server.ts'
import { PATH } from './specs.ts'
import { TreasuryFigures } from './TreasuryFigures.tsx'

export const loader = ({ params, url, context }: LoaderFunctionArgs) =>
  loadTreasury(params.slug ?? '', url, context)

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || changedKeys(currentUrl, nextUrl).some(needsFigures)
}

export function meta({ loaderData }: MetaArgs<typeof loader>) {
  if (!loaderData) return []
  const { treasury, description, publicUrl } = loaderData
  return pageMeta({
    title: `${treasury.name}: bitcoin held`,
    path: `${PATH}/${treasury.id}`,
    description,
    publicUrl,
  })
}

/** One holder of bitcoin. */
export default function TreasuryPage() {
  const loaded = useLoaderData<typeof loader>()
  const { treasury } = loaded
  return (
    <TreasuryFigures
      title={treasury.name}
      holder={treasury.id}
      loaded={loaded}
      actions={
        <ButtonLink to={PATH} small>
          All treasuries
        </ButtonLink>
      }
      lead={<About treasury={treasury} />}
    />
  )
}

const KIND_WORDS: Readonly<Record<Treasury['kind'], string>> = {
  company: 'Public company',
  miner: 'Miner',
  etf: 'Spot fund',
  government: 'Government',
  private: 'Private company',
  defi: 'Application',
}

function About({ treasury }: { treasury: Treasury }) {
  const { kind, country, ticker, currency, issuer, website, start, costAverageUsd, costDay } = treasury
  const { note, noMnav, mainBusiness } = treasury
  return (
    <Card title="Who it is" foot={note ?? undefined}>
      <Facts
        facts={[
          { label: 'Kind', value: KIND_WORDS[kind] },
          ...(mainBusiness ? [{ label: 'Main business', value: mainBusiness }] : []),
          { label: 'Country', value: country },
          ...(ticker ? [{ label: 'Ticker', value: currency ? `${ticker}, in ${currency}` : ticker }] : []),
          ...(issuer ? [{ label: 'Issuer', value: issuer }] : []),
          ...(start ? [{ label: 'Bitcoin since', value: dayText(start) }] : []),
          ...(costAverageUsd
            ? [
                {
                  label: 'Reported avg. cost',
                  value: `${figureText(costAverageUsd, 'USD').text}${costDay ? `, ${dayText(costDay)}` : ''}`,
                },
              ]
            : []),
          ...(website
            ? [
                {
                  label: 'Website',
                  value: (
                    <a href={website} rel="noopener noreferrer">
                      {website.replace('https://', '')}
                    </a>
                  ),
                },
              ]
            : []),
          ...(noMnav ? [{ label: 'No mNAV', value: noMnav, isWide: true }] : []),
        ]}
      />
    </Card>
  )
}

export const ErrorBoundary = PageError
