import type { ReportFigure } from '#http/contract.ts'
import { Card } from '#web/blocks/Card.tsx'
import { Contents } from '#web/blocks/Contents.tsx'
import { CopyText } from '#web/blocks/CopyText.tsx'
import { Diagram } from '#web/blocks/diagram/Diagram.tsx'
import { Facts } from '#web/blocks/Facts.tsx'
import { HeadingBlock } from '#web/blocks/HeadingBlock.tsx'
import { HowToRead } from '#web/blocks/HowToRead.tsx'
import { StateCard } from '#web/blocks/State.tsx'
import { FiguresOfReport } from '#web/pages/content/ReportFigures.tsx'
import { FileLink } from '#web/ui/Button.tsx'
import { Coded } from '#web/ui/Coded.tsx'
import { RetryLink } from '#web/ui/RetryLink.tsx'
import { WithCommands } from '#web/ui/WithCommands.tsx'
import type { BookPage } from '../bookPage.ts'
import {
  HUGE,
  LIVE,
  LONG_NAME,
  MADE_DAY,
  OVERDUE,
  RECORDED,
  STALE,
  sourceOf,
  TXID,
  UNBROKEN,
} from '../made.ts'

const QUESTION = 'What does a made chain cost, who uses it, and how much of it rests on whom?'

const reportFigure = (over: Partial<ReportFigure>): ReportFigure => ({
  metric: 'made.fees',
  entity: 'bitcoin',
  of: 'Bitcoin',
  name: 'Fees paid',
  unit: 'sat',
  key: null,
  grain: 'day',
  day: '2025-11-03',
  published: 1_234_567_890,
  now: 1_234_567_890,
  newestDay: MADE_DAY,
  newest: 987_654_321,
  ...over,
})

export const TEXT_PAGES: readonly BookPage[] = [
  {
    name: 'heading',
    title: 'Heading of a page',
    component: 'src/web/blocks/HeadingBlock.tsx',
    states: [
      {
        name: 'live',
        draw: () => <HeadingBlock title="Bitcoin" question={QUESTION} mark={{ asOf: LIVE }} />,
      },
      {
        name: 'recorded, figures of another day than the blocks',
        draw: () => (
          <HeadingBlock
            title="Stacks"
            question={QUESTION}
            mark={{ asOf: RECORDED, blocks: STALE, day: MADE_DAY }}
          />
        ),
      },
      {
        name: 'stale',
        draw: () => <HeadingBlock title="Rootstock" question={QUESTION} mark={{ asOf: STALE }} />,
      },
      {
        name: 'overdue, key figures of several days',
        draw: () => (
          <HeadingBlock
            title="Bitcoin L2 Compare"
            question={QUESTION}
            mark={{ asOf: OVERDUE, from: '2024-10-22', day: MADE_DAY }}
          />
        ),
      },
      {
        name: 'overdue, long name, files to take away',
        draw: () => (
          <HeadingBlock title={LONG_NAME} question={QUESTION} mark={{ asOf: OVERDUE }}>
            <FileLink icon="code" label="This page as JSON" href="/made.json" />
            <FileLink icon="download" label="This page as CSV" href="/made.csv" />
          </HeadingBlock>
        ),
      },
      {
        name: 'a name that has no place to break, no data',
        draw: () => <HeadingBlock title={UNBROKEN} question={UNBROKEN} mark={{ asOf: undefined }} />,
      },
      { name: 'without a mark', draw: () => <HeadingBlock title="Documentation" question={QUESTION} /> },
    ],
  },
  {
    name: 'states',
    title: 'Cards that have nothing to draw',
    component: 'src/web/blocks/State.tsx',
    isPaired: true,
    states: [
      {
        name: 'empty',
        draw: () => (
          <StateCard kind="empty" title="Made fees" sub="BTC, daily" height={120}>
            No data in this range. Data ends 3 Mar 2024.
          </StateCard>
        ),
      },
      {
        name: 'stale',
        draw: () => (
          <StateCard kind="stale" title="Made fees" height={120}>
            The publisher has not answered since 2 Nov 2025. It is asked again every hour.
          </StateCard>
        ),
      },
      {
        name: 'failed, long words',
        draw: () => (
          <StateCard kind="failed" title={LONG_NAME} sub={UNBROKEN} height={120}>
            The figures of {UNBROKEN} could not be read just now. The other figures of the page stand.{' '}
            <RetryLink />
          </StateCard>
        ),
      },
      {
        name: 'locked',
        draw: () => (
          <StateCard kind="locked" title="Made dashboards" height={120}>
            Saving a dashboard needs the dashboard feature.
          </StateCard>
        ),
      },
      {
        name: 'at the height of what would stand there',
        draw: () => (
          <StateCard kind="empty" title="Made fees" sub="BTC, daily">
            No figure is known yet:{' '}
            <WithCommands text="“assay backfill --chain bitcoin --from 0” brings it in." />
          </StateCard>
        ),
      },
    ],
  },
  {
    name: 'facts',
    title: 'Facts, cards and what can be copied',
    component: 'src/web/blocks/Facts.tsx',
    states: [
      {
        name: 'a card with facts: long, wide, absent, 1.2 × 10^24',
        draw: () => (
          <Card
            title={LONG_NAME}
            sub={<Coded text="What `base.btc_blocks` says of it" />}
            tools={<FileLink icon="download" label="As CSV" href="/made.csv" />}
            foot={<span>A note below, with a link to {UNBROKEN}.</span>}
          >
            <Facts
              facts={[
                { label: 'Height', value: '934,567' },
                { label: LONG_NAME, value: LONG_NAME },
                { label: 'Contract', value: UNBROKEN },
                { label: 'Not known', value: null },
                { label: 'Difficulty', value: HUGE.toLocaleString('en') },
                {
                  label: 'Transaction',
                  value: <CopyText text={TXID} what="the transaction id" />,
                  isWide: true,
                },
                { label: 'Shortened', value: <CopyText text={TXID} what="the transaction id" isShort /> },
              ]}
            />
          </Card>
        ),
      },
      {
        name: 'parts of a long page',
        draw: () => (
          <Contents
            parts={['Fees', LONG_NAME, 'Who holds what', UNBROKEN, 'Method'].map((label, index) => ({
              id: `part-${index}`,
              label,
            }))}
          />
        ),
      },
    ],
  },
  {
    name: 'diagram',
    title: 'Steps that follow one another',
    component: 'src/web/blocks/diagram/Diagram.tsx',
    states: [
      {
        name: 'four steps, long words on an arrow and in a box',
        draw: () => (
          <Diagram
            diagram={{
              id: 'made-steps',
              title: 'How a made coin comes to be',
              sub: 'From a deposit to a coin',
              note: 'Made for the book.',
              steps: [
                {
                  title: 'Deposit',
                  text: 'A holder sends bitcoin.',
                  passes: 'bitcoin',
                  assay: 'made.deposits@sbtc',
                },
                { title: 'Signers', text: `They sign for ${UNBROKEN}.`, passes: 'a threshold of signatures' },
                {
                  title: LONG_NAME,
                  text: 'It mints as much as came.',
                  passes: 'coins',
                  assay: 'made.minted@sbtc',
                },
                { title: 'Holder', text: 'Holds, sends, gives back.' },
              ],
            }}
          />
        ),
      },
      {
        name: 'one step',
        draw: () => (
          <Diagram
            diagram={{ id: 'made-step', title: 'One step', steps: [{ title: 'Only', text: 'That is all.' }] }}
          />
        ),
      },
    ],
  },
  {
    name: 'how-to-read',
    title: 'How to read a page',
    component: 'src/web/blocks/HowToReadWords.tsx',
    states: [
      {
        name: 'sources: live, stale, overdue, never reached, with long names',
        draw: () => (
          <HowToRead
            sources={[
              sourceOf({ name: 'Live' }),
              sourceOf({ name: 'Stale', state: 'stale' }),
              sourceOf({ name: 'Overdue', state: 'overdue' }),
              sourceOf({ name: LONG_NAME, licence: 'Creative Commons Attribution 4.0', lastSuccess: null }),
              sourceOf({ name: UNBROKEN }),
            ]}
          />
        ),
      },
    ],
  },
  {
    name: 'report-figures',
    title: 'Figures of a report, then and now',
    component: 'src/web/pages/content/ReportFigures.tsx',
    states: [
      {
        name: 'unchanged, restated, not held any more, 1.2 × 10^24, long names',
        draw: () => (
          <FiguresOfReport
            figures={[
              reportFigure({}),
              reportFigure({ now: 1_234_560_000 }),
              reportFigure({ now: null, newest: null, newestDay: null, grain: 'month' }),
              reportFigure({
                unit: 'USD',
                published: HUGE,
                now: -HUGE,
                newest: 4e-9,
                of: LONG_NAME,
                name: LONG_NAME,
              }),
              reportFigure({
                key: UNBROKEN,
                of: null,
                entity: 'a-made-entity-with-a-long-slug',
                grain: 'week',
              }),
            ]}
          />
        ),
      },
      { name: 'none', draw: () => <FiguresOfReport figures={[]} /> },
    ],
  },
]
