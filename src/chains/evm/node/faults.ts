import { NodeError } from '../../node/errors.ts'
import type { EvmBlock } from '../block.ts'

/** An endpoint whose chain is longer lacks a block of it. */
export const gap = (name: string, number: number): NodeError =>
  new NodeError('node.gap', `${name} does not have block ${number}, though its chain is longer.`, {
    hint: 'It is asked again, and others are; a node that is still catching up fills the gap by itself.',
    facts: { number },
  })

export const wrongNumber = (name: string, number: number, { header }: EvmBlock): NodeError =>
  new NodeError('node.lied', `${name} gave block ${header.number} for height ${number}.`, {
    hint: 'The block was not stored. Ask another node.',
    facts: { number, said: header.number },
  })

export const reorged = (name: string, number: number, why: string): NodeError =>
  new NodeError('node.reorged', `The chain changed while ${name} was asked for block ${number}: ${why}.`, {
    facts: { number },
  })
