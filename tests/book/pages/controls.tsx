import { Choices } from '#web/blocks/Choices.tsx'
import { CalculatorCard } from '#web/blocks/calculator/CalculatorCard.tsx'
import type { LoadedCalculator } from '#web/blocks/calculator/calculatorSpec.ts'
import { PageControls } from '#web/blocks/PageControls.tsx'
import { ShareButton } from '#web/blocks/ShareButton.tsx'
import { Tabs } from '#web/blocks/Tabs.tsx'
import { Button, ButtonLink, FileLink, IconButton, IconLink } from '#web/ui/Button.tsx'
import { Icon, type IconName } from '#web/ui/Icon.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Sheet } from '#web/ui/Sheet.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { type BookPage, opensDetails } from '../bookPage.ts'
import { LONG_NAME, MADE_DAY, UNBROKEN } from '../made.ts'

const ICONS: readonly IconName[] = [
  'menu',
  'search',
  'sun',
  'moon',
  'close',
  'chart',
  'table',
  'download',
  'image',
  'full',
  'share',
  'options',
  'down',
  'next',
  'previous',
  'arrow',
  'copy',
  'check',
  'play',
  'stop',
  'reset',
  'external',
  'code',
  'flag',
  'warning',
]

const calculator = (id: string, value: number | null): LoadedCalculator => ({
  id,
  title: 'What a made payment costs',
  note: 'A note below it.',
  inputs: [
    { key: 'size', label: 'Size', unit: 'vB', first: 141, least: 60, most: 100_000 },
    {
      key: 'rate',
      label: `Fee rate, ${LONG_NAME}`,
      unit: 'sat/vB',
      first: { metric: 'made.rate', entity: 'bitcoin' },
      least: 0,
      most: 1e24,
    },
  ],
  results: [
    { label: 'Fee', unit: 'sat', formula: 'size * rate' },
    { label: 'In dollars', unit: 'USD', formula: 'size * rate / 100000000 * 96000' },
  ],
  first: { size: { value: 141 }, rate: { value, assay: 'made.rate@bitcoin', day: MADE_DAY } },
})

const choices = {
  label: 'Layer',
  name: 'layer',
  current: undefined,
  choices: [
    { value: undefined, label: 'All', count: { rows: 63, of: 'layers' } },
    { value: 'sidechain', label: 'Sidechains', count: { rows: 12, of: 'layers' } },
    { value: 'long', label: LONG_NAME, count: { rows: 1, of: 'layers' } },
    { value: 'none', label: 'None of this kind', count: { rows: 0, of: 'layers' } },
  ],
}

export const CONTROL_PAGES: readonly BookPage[] = [
  {
    name: 'choices',
    title: 'Tabs, choices and controls of a page',
    component: 'src/web/blocks/Tabs.tsx',
    states: [
      {
        name: 'tabs, the first chosen',
        draw: () => (
          <Tabs
            label="Made"
            current="a"
            tabs={['Overview', 'Fees', 'Mining'].map((label, index) => ({ key: 'abc'[index] ?? '', label }))}
          />
        ),
      },
      {
        name: 'twelve tabs, the last chosen, one long',
        draw: () => (
          <Tabs
            label="Many"
            current="t11"
            tabs={Array.from({ length: 12 }, (_, index) => ({
              key: `t${index}`,
              label: index === 4 ? LONG_NAME : `View ${index + 1}`,
            }))}
          />
        ),
      },
      {
        name: 'what a list is narrowed to',
        draw: () => (
          <Choices rows={[choices, { ...choices, label: 'Kind', name: 'kind', current: 'none' }]} />
        ),
      },
      { name: 'range and unit', draw: () => <PageControls /> },
      {
        name: 'a range of one’s own, open, in dollars',
        at: '?from=2025-11-03&to=2026-01-31&unit=usd',
        room: 180,
        step: opensDetails('summary'),
        draw: () => <PageControls coin="STX" />,
      },
      {
        name: 'one of a few',
        draw: () => (
          <Segmented
            label="Made choice"
            current="b"
            choices={[
              { value: 'a', label: 'All rows', to: '?a' },
              { value: 'b', label: 'By row', to: '?b' },
              { value: 'c', label: 'A third, with more words', to: '?c' },
            ]}
          />
        ),
      },
    ],
  },
  {
    name: 'buttons',
    title: 'Buttons and pictures',
    component: 'src/web/ui/Button.tsx',
    states: [
      {
        name: 'pills',
        draw: () => (
          <p className="samples">
            <Button look="primary">Run</Button>
            <Button>Cancel</Button>
            <Button look="primary" disabled>
              Running
            </Button>
            <Button disabled>Not now</Button>
            <Button look="primary" small>
              Show
            </Button>
            <Button small>Less</Button>
            <ButtonLink to="/" look="primary">
              Open Bitcoin
            </ButtonLink>
            <ButtonLink to="/">Open Rootstock</ButtonLink>
          </p>
        ),
      },
      {
        name: 'round ones',
        draw: () => (
          <p className="samples">
            <IconButton icon="download" label="Download" />
            <IconLink icon="chart" label="Show as a chart" to="/" />
            <IconLink icon="table" label="Show as a table" to="/" pressed />
            <FileLink icon="code" label="SQL" href="/made.sql" />
            <ShareButton held={undefined} />
          </p>
        ),
      },
      {
        name: 'a tip that is open',
        room: 60,
        step: stage => {
          const tips = [...stage.querySelectorAll<HTMLElement>('[class*="tip"]')]
          const areOpen = tips.length > 0 && tips.every(({ style }) => style.display === 'block')
          for (const tip of tips) tip.style.display = 'block'
          return areOpen
        },
        draw: () => (
          <p className="samples" style={{ paddingInlineStart: 200, paddingBlockStart: 40 }}>
            <IconButton icon="image" label="Save as a picture" />
          </p>
        ),
      },
      {
        name: 'all pictures',
        draw: () => (
          <ul className="samples">
            {ICONS.map(icon => (
              <li key={icon} title={icon}>
                <Icon name={icon} />
              </li>
            ))}
          </ul>
        ),
      },
      {
        name: 'that something is on its way',
        room: 120,
        draw: () => <Spinner />,
      },
    ],
  },
  {
    name: 'calculator',
    title: 'Calculator',
    component: 'src/web/blocks/calculator/CalculatorCard.tsx',
    states: [
      {
        name: 'with the newest figures',
        draw: () => <CalculatorCard calculator={calculator('cost', 12.5)} />,
      },
      {
        name: 'up to 10^24',
        at: '?cost-huge.rate=1e24&cost-huge.size=100000',
        draw: () => <CalculatorCard calculator={calculator('cost-huge', 12.5)} />,
      },
      {
        name: 'not a number, and out of bounds',
        at: '?cost-wrong.rate=many&cost-wrong.size=3',
        draw: () => <CalculatorCard calculator={calculator('cost-wrong', 12.5)} />,
      },
    ],
  },
  {
    name: 'sheet',
    title: 'Sheet over a page',
    component: 'src/web/ui/Sheet.tsx',
    isWindow: true,
    states: [
      {
        name: 'long title, more than fits',
        draw: () => (
          <Sheet away="/" titleId="made-title" closeLabel="Close the sheet">
            <h2 id="made-title" tabIndex={-1} style={{ outline: 'none' }}>
              {LONG_NAME}
            </h2>
            {Array.from({ length: 16 }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines that never change places
              <p key={index} style={{ overflowWrap: 'anywhere', marginBlock: 40 }}>
                {index + 1}. {UNBROKEN}
              </p>
            ))}
          </Sheet>
        ),
      },
    ],
  },
]
