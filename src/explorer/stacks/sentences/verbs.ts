/** Verbs that patterns begin with, and their past: a sentence of what happened has the one, of what was tried the other. */
const IRREGULAR: Readonly<Record<string, string>> = {
  bid: 'bid',
  bring: 'brought',
  buy: 'bought',
  give: 'gave',
  hold: 'held',
  lend: 'lent',
  let: 'let',
  make: 'made',
  pay: 'paid',
  repay: 'repaid',
  transfer: 'transferred',
  cancel: 'cancelled',
  put: 'put',
  sell: 'sold',
  send: 'sent',
  set: 'set',
  spend: 'spent',
  take: 'took',
  withdraw: 'withdrew',
  begin: 'began',
  leave: 'left',
  split: 'split',
}
const REGULAR =
  `accept accrue activate add adjust airdrop allocate allow announce approve ask assign authorise auction back borrow
 bridge burn call change charge claim clear close collect commit complete confirm convert count create credit debit decrease
 delegate delete deny deploy deposit disable disallow distribute donate enable end escrow exchange execute extend fill finalise finish flip
 forbid freeze fund grant handle harvest import increase initialise insert launch liquidate list lock log match migrate mine mint
 move name open order own pause peg perform place pledge post prepare preorder process propose provide pull purchase queue raise
 rebalance rebase receive record recover redeem reduce refresh refund register reinvest reject release relist remove renew
 replace report request reserve reset resume return reveal revoke reward roll rotate route save schedule settle sign slash socialise
 stack stake start stop store submit subtract supply swap sweep switch sync tag tip top trade try turn unlist unlock unpause
 unstake unwrap update upgrade use veto vote whitelist wrap write`
    .trim()
    .split(/\s+/)

const DOUBLED = new Set([
  'swap',
  'stop',
  'tip',
  'top',
  'wrap',
  'unwrap',
  'peg',
  'airdrop',
  'commit',
  'log',
  'tag',
  'forbid',
  'submit',
])

const VERBS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(IRREGULAR),
  ...REGULAR.map(verb => [verb, pastOf(verb)] as const),
])

function pastOf(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`
  if (/[^aeou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`
  return DOUBLED.has(verb) ? `${verb}${verb.at(-1)}ed` : `${verb}ed`
}

/** The past of a verb; undefined for a word that is none of the list. */
export const past = (verb: string): string | undefined => VERBS.get(verb)
