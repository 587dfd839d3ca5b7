import {
  Form,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
} from 'react-router'
import { apiContext, siteContext } from '#http/context.ts'
import { asksAnew } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { dayOfList, listMark } from '../../blocks/load/listMark.server.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button, FileLink } from '../../ui/Button.tsx'
import { answering } from '../answering.server.ts'
import { pageMeta } from '../pageMeta.ts'
import page from '../stacks/Stacks.module.css'
import styles from './Balances.module.css'
import { BalancesTable, HistoryTable } from './BalancesTables.tsx'
import { Batch } from './Batch.tsx'
import { useCovered } from './chains.ts'
import { HeldCard } from './Held.tsx'
import { QUESTIONS } from './questions.ts'
import { needsRows } from './span.ts'

const PATH = '/addressbalance'
const QUESTION = QUESTIONS[PATH]
const LONGEST = 300

export async function loader({ url, context }: LoaderFunctionArgs) {
  const address = (url.searchParams.get('address') ?? '').trim().slice(0, LONGEST)
  const { across } = context.get(apiContext)
  const [answer, covered] = await answering('The balance', () =>
    Promise.all([address === '' ? undefined : across.balancesOf(address), across.held()]),
  )
  const { held } = answer ?? covered
  return {
    address,
    answer,
    held,
    mark: listMark(held, dayOfList(url)),
    publicUrl: context.get(siteContext).publicUrl,
  }
}

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, needsRows)
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({ title: 'Address balances', path: PATH, description: QUESTION, publicUrl: loaderData?.publicUrl })

/** Balances of one address by its own page, of many by a batch that stays in the browser. */
export default function BalancesPage() {
  const covered = useCovered()
  const { address, answer, held, mark } = useLoaderData<typeof loader>()
  const problem = answer?.lines.find(line => line.problem !== null)?.problem
  const file = `/api/v1/addresses/${encodeURIComponent(address)}/balances`
  return (
    <>
      <HeadingBlock title="Address balances" question={QUESTION} mark={mark}>
        {answer && (
          <>
            <FileLink icon="code" label="These balances as JSON" href={file} />
            <FileLink icon="download" label="These balances as CSV" href={`${file}?format=csv`} />
          </>
        )}
      </HeadingBlock>
      <div className={page.body}>
        <Card title="One address">
          <Form className={styles.form} action={PATH}>
            <input
              className={styles.input}
              name="address"
              defaultValue={address}
              key={address}
              placeholder="bc1…, SP…, SP….contract or 0x…"
              aria-label="Address"
              aria-invalid={problem ? true : undefined}
              aria-describedby={problem ? 'address-problem' : undefined}
              autoComplete="off"
              spellCheck={false}
            />
            <Button type="submit" look="primary">
              Show
            </Button>
          </Form>
          {problem && (
            <p className={styles.problem} id="address-problem" role="alert">
              {problem}
            </p>
          )}
        </Card>
        {answer && !problem && (
          <>
            <BalancesTable answer={answer} isSingle />
            <HistoryTable answer={answer} />
          </>
        )}
        <Batch />
        <HeldCard chains={covered.all} held={held}>
          <p>
            <strong>Balances are never guessed.</strong> A sum over rows counts as a balance only if every
            change since the coin or token was created is indexed. Otherwise the change over the indexed
            blocks is shown instead, with the reason.
          </p>
          <p>
            <strong>Bitcoin</strong>: outputs less spent outputs. <strong>Stacks</strong>: transfers, fees and
            rewards, including STX locked by PoX. <strong>EVM layers</strong>: tokens by transfers, and the
            coin from a configured node, because contracts can move it without a record. Rebasing tokens do
            not report every change with a transfer.
          </p>
          <p>
            <strong>Names</strong> of tokens are self-reported. Tokens in the catalog are marked.
          </p>
        </HeldCard>
      </div>
    </>
  )
}

export const ErrorBoundary = PageError
