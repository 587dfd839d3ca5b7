import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** The policy of our pages lets only style sheets with its nonce in. */
export const styleNonce = (): Extension =>
  EditorView.cspNonce.of(document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '')
