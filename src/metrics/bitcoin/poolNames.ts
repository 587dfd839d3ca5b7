import proxies from '../../../catalog/bitcoin/pool-proxies.json' with { type: 'json' }
import type { Reference, Switch } from '../metric.ts'

/** The switch that counts pools which hand out the templates of another as one with it. */
export const mergedProxies: Switch = {
  name: 'merged_proxies',
  doc: 'pools that use another pool’s templates count with it',
}

const text = (value: string): string => `'${value.replaceAll("'", "\\'")}'`

/** SQL of a block's pool as readers see it; blocks that no rule matches are `unknown`. Takes `{merged_proxies:UInt8}`. */
export const POOL = `multiIf(
      pool = '', 'unknown',
      ${proxies.groups
        .map(
          ({ name, since, members }) =>
            `{merged_proxies:UInt8} = 1 AND toDate(block_time) >= ${text(since)} AND pool IN (${members.map(text).join(', ')}), ${text(name)},`,
        )
        .join('\n      ')}
      pool
    )`

/** What the switch rests on, for `how`. */
export const PROXY_RULE = proxies.groups
  .map(
    ({ name, since, members }) =>
      `With merged proxies on, blocks since ${since} of ${members.join(', ')} count as “${name}”, as their stratum jobs showed (list of April 2025).`,
  )
  .join(' ')

export const poolReferences: readonly Reference[] = [
  { title: 'mempool/mining-pools', url: 'https://github.com/mempool/mining-pools' },
  {
    title: 'b10c: block template similarities between mining pools',
    url: proxies.groups[0]!.links[0]!,
  },
  { title: 'mainnet-observer: AntPool and proxies', url: 'https://github.com/0xB10C/mainnet-observer' },
]
