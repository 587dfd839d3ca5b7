/**
 * A state machine as a table: what the reducers of this folder step by, and what the state chart of the documentation is
 * drawn from, so that neither can say what the other does not do.
 */
export type Machine<Name extends string, On extends string> = {
  readonly title: string
  readonly initial: Name
  /** In the order in which the chart shows them. */
  readonly states: readonly Name[]
  readonly steps: readonly Step<Name, On>[]
}

export type Step<Name extends string, On extends string> = {
  readonly from: Name
  readonly on: On
  readonly to: Name
  /** What else happens, in a few words. */
  readonly does?: string
}

/** The state after an event; the same one where the table has no such step. */
export const step = <Name extends string, On extends string>(
  { steps }: Machine<Name, On>,
  from: Name,
  on: On,
): Name => steps.find(each => each.from === from && each.on === on)?.to ?? from

/** One step from each of these states. */
export const fromEach = <Name extends string, On extends string>(
  froms: readonly Name[],
  rest: Omit<Step<Name, On>, 'from'>,
): Step<Name, On>[] => froms.map(from => ({ from, ...rest }))
