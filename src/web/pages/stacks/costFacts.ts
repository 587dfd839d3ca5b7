import type { StacksTxDetail } from '#http/contract.ts'
import { grouped } from '../../format/figure.ts'

/** What running took, in the five dimensions that a block has a budget of (SIP-006); nothing where its source does not say. */
export const costFacts = (cost: StacksTxDetail['cost']): { label: string; value: string }[] =>
  cost === null
    ? []
    : [
        { label: 'Running time', value: grouped(cost.runtime) },
        { label: 'Reads, bytes read', value: `${grouped(cost.readCount)}, ${grouped(cost.readLength)}` },
        {
          label: 'Writes, bytes written',
          value: `${grouped(cost.writeCount)}, ${grouped(cost.writeLength)}`,
        },
      ]
