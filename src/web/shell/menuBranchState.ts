/** Delay before a menu opens or closes under the pointer, ms. Source: specification, section 9. */
export const MENU_DELAY_MS = 100

export type BranchState = {
  readonly isCurrent: boolean
  /** What a click decided: open or closed; undefined before any. */
  readonly isPinned: boolean | undefined
  readonly isHovered: boolean
}

export type BranchEvent =
  | { readonly on: 'enter' | 'leave' | 'click' }
  /** Another page is shown: whether it is one of the branch. */
  | { readonly on: 'page'; readonly isCurrent: boolean }

export const isOpen = ({ isCurrent, isPinned, isHovered }: BranchState): boolean =>
  isPinned ?? (isHovered || isCurrent)

/** The branch after an event. A click decides over the pointer until the pointer comes anew or another page is shown. */
export function branchAfter(state: BranchState, event: BranchEvent): BranchState {
  switch (event.on) {
    case 'enter':
      // A branch that was clicked closed opens again under a pointer that comes back.
      return { ...state, isHovered: true, isPinned: state.isPinned === false ? undefined : state.isPinned }
    case 'leave':
      return { ...state, isHovered: false }
    case 'click':
      return { ...state, isPinned: clicked(state) }
    case 'page':
      return event.isCurrent === state.isCurrent
        ? state
        : { ...state, isCurrent: event.isCurrent, isPinned: undefined }
  }
}

/** The first click on a branch that only the pointer holds open keeps it open; every other click turns it over. */
const clicked = (state: BranchState): boolean =>
  state.isPinned === undefined && state.isHovered && !state.isCurrent ? true : !isOpen(state)
