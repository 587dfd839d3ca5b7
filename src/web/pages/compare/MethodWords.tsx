import { Card } from '../../blocks/Card.tsx'
import { METHOD } from './anchors.ts'
import styles from './MethodWords.module.css'

type Rule = { term: string; text: string; links?: readonly { label: string; href: string }[] }

/** Where publishers mean different things by one word: what this page means by it. */
const RULES: readonly Rule[] = [
  {
    term: 'TVL and value secured',
    text: 'TVL is what the protocols of a layer hold; value secured is all that was bridged or minted there, at work or idle. They are two columns and never added.',
    links: [
      { label: 'DefiLlama: TVL', href: 'https://docs.llama.fi/list-your-project/what-to-include-as-tvl' },
      { label: 'L2BEAT: value secured', href: 'https://l2beat.com/faq' },
    ],
  },
  {
    term: 'Active addresses',
    text: 'On layers: distinct senders, without receivers. Weeks and months are counted directly, never summed from days. Bitcoin’s active addresses count both sides and are on its own page.',
    links: [
      {
        label: 'growthepie: active addresses',
        href: 'https://www.growthepie.com/fundamentals/daily-active-addresses',
      },
    ],
  },
  {
    term: 'Transactions',
    text: 'User transactions only. Excludes transactions that the chain itself adds to each block, which some explorers count.',
    links: [{ label: 'L2BEAT: activity', href: 'https://l2beat.com/scaling/activity' }],
  },
  {
    term: 'Fees',
    text: 'A layer’s median fee and fees are in the coin used to pay them. Different coins are never added. Fees paid to Bitcoin are inputs less outputs of the layer’s transactions there. Miner bids are value, not fees.',
  },
  {
    term: 'Bitcoin on a layer',
    text: 'Bitcoin and bitcoin-backed tokens, as reported by their source. Wrapped bitcoin can be bridged again, so a sum over layers can count it twice. Each sum shows its number of layers.',
    links: [{ label: 'Bitcoin Layers', href: 'https://www.bitcoinlayers.org' }],
  },
  {
    term: 'Trust',
    text: 'Grades are published by Bitcoin Layers, each with its date. The text below them is ours. A grade measures how much trust is required, not how likely a loss is. There is no overall grade because the four answer different questions.',
    links: [{ label: 'Bitcoin Layers', href: 'https://www.bitcoinlayers.org' }],
  },
  {
    term: 'Changes, places and sums',
    text: 'A change compares the full buckets at both ends of the range. It is empty if the older one is missing, or if the parts that both have are less than 80% of either. Ranks are among layers with a figure in the same unit. Figures for different days show their days, and a sum shows both ends.',
  },
]

/** What `Method` waits for. */
export function MethodWords() {
  return (
    <Card title="How we compare" sub="Publishers count differently under the same words. These are ours.">
      <dl id={METHOD} className={styles.rules}>
        {RULES.map(({ term, text, links = [] }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {text}{' '}
              {links.map(({ label, href }) => (
                <a key={href} href={href} rel="noopener noreferrer">
                  {label}
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
