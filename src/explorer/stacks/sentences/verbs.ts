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
  cancel: 'canceled',
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
  freeze: 'froze',
  read: 'read',
  run: 'ran',
  shutdown: 'shut down',
  shutoff: 'shut off',
  sweep: 'swept',
}
const REGULAR =
  `accept accrue activate add adjust aggregate airdrop allocate allow announce answer apply approve ask assign attack auction
 authorize back borrow bridge burn calculate call change charge check claim clear close collect commit complete compound confirm
 construct convert count create credit cumulate debit decode decrease delegate delete deny deploy deposit disable disallow disapprove
 distribute donate enable end escrow exchange execute extend extract fetch fill finalize finish fix flip forbid fund grant
 handle harvest import increase increment initialize initiate insert launch liquidate list lock log match migrate mine mint move
 name notify open order own pause peg perform place pledge post preorder prepare process propose provide pull purchase queue
 raise rebalance rebase receive reconcile record recover redeem reduce refresh refund register reinsert reinvest reject release
 relist remove renew replace report request reserve reset resume return reveal revoke reward roll rotate route save schedule
 settle sign signal slash socialize stack stake start stop store submit subtract supply swap switch sync tag tip toggle top
 trade try turn unlist unlock unpause unstake unwrap update upgrade use verify veto vote whitelist wrap write`
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

const PARTICIPLES: Readonly<Record<string, string>> = {
  authorised: 'authorize',
  cancelled: 'cancel',
  finalised: 'finalize',
  frozen: 'freeze',
  given: 'give',
  initialised: 'initialize',
  socialised: 'socialize',
  taken: 'take',
  withdrawn: 'withdraw',
}
const OF_PAST: ReadonlyMap<string, string> = new Map([
  ...[...VERBS].map(([verb, was]) => [was, verb] as const),
  ...Object.entries(PARTICIPLES),
])

/** The verb that a word is the past of; undefined for a word that is no past of the list. */
export const verbOfPast = (word: string): string | undefined => OF_PAST.get(word)

/** The past of a verb; undefined for a word that is none of the list. */
export const past = (verb: string): string | undefined => VERBS.get(verb)
