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
    text: 'On layers: distinct senders, receivers left out. Week and month are counted anew, never added up from days. Bitcoin’s own active addresses count both sides and stand on its page, not here.',
    links: [
      {
        label: 'growthepie: active addresses',
        href: 'https://www.growthepie.com/fundamentals/daily-active-addresses',
      },
    ],
  },
  {
    term: 'Transactions',
    text: 'Those of users. What a chain writes into each of its blocks by itself is left out, which some explorers count.',
    links: [{ label: 'L2BEAT: activity', href: 'https://l2beat.com/scaling/activity' }],
  },
  {
    term: 'Fees',
    text: 'The median fee and the fees of a layer are told in the coin that they are paid in: a coin is never added to another. Fees paid to Bitcoin are inputs less outputs of the layer’s transactions there; bids of miners are value, not fees.',
  },
  {
    term: 'Bitcoin on a layer',
    text: 'Bitcoin and tokens that stand for it, as their publisher counts them. A wrapped bitcoin may have been bridged on: a sum over layers can hold it twice, and says of how many layers it is.',
    links: [{ label: 'Bitcoin Layers', href: 'https://www.bitcoinlayers.org' }],
  },
  {
    term: 'Trust',
    text: 'Grades are those that Bitcoin Layers publishes, each with its day; the words below them are ours. A grade says how much must be trusted, not how likely a loss is. There is no overall grade: the four answer different questions.',
    links: [{ label: 'Bitcoin Layers', href: 'https://www.bitcoinlayers.org' }],
  },
  {
    term: 'Changes, places and sums',
    text: 'A change compares two whole buckets at both ends of the range; where the older one is missing there is none. Places are among the layers that have a figure in the same unit. Figures of different days stand side by side with their days, and a sum names both ends.',
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
