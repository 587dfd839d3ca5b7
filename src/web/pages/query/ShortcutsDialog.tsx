import { shortcutText } from '../../ui/keyboard.ts'
import styles from './ShortcutsDialog.module.css'
import { PanelDialog } from './saved/QueryDialog.tsx'

/** By section: action, keys on Apple devices, keys on other devices. */
const PARTS: readonly (readonly [string, readonly (readonly [string, string, string])[]])[] = [
  [
    'Query',
    [
      ['Run the statement under the cursor, or the selection', '⌘ ↵', 'Ctrl Enter'],
      ['Run again, ignoring the stored result', '⌥ ⌘ ↵', 'Ctrl Alt Enter'],
      ['Run all statements', '⇧ ⌘ ↵', 'Ctrl Shift Enter'],
      ['Cancel the run', 'Esc', 'Esc'],
      ['Format', '⇧ ⌥ F', 'Shift Alt F'],
      ['Save', '⌘ S', 'Ctrl S'],
      ['New query', '⇧ ⌥ N', 'Shift Alt N'],
    ],
  ],
  [
    'Editor',
    [
      ['Show completions', '⌃ Space', 'Ctrl Space'],
      ['Comment or uncomment lines', '⌘ /', 'Ctrl /'],
      ['Find', '⌘ F', 'Ctrl F'],
      ['Leave the editor', 'Esc, Tab', 'Esc, Tab'],
    ],
  ],
  [
    'Tabs',
    [
      ['Previous or next query', '← →', '← →'],
      ['Rename', 'F2', 'F2'],
      ['Close', '⌦', 'Delete'],
    ],
  ],
  [
    'Rows',
    [
      ['Move', '← → ↑ ↓', '← → ↑ ↓'],
      ['Extend the selection', '⇧ arrows', 'Shift arrows'],
      ['Select all', '⌘ A', 'Ctrl A'],
      ['Copy', '⌘ C', 'Ctrl C'],
      ['Copy with header', '⇧ ⌘ C', 'Ctrl Shift C'],
      ['Show the whole cell', '↵', 'Enter'],
      ['Sort (in the header)', '↵', 'Enter'],
      ['Column menu: sort, filter, profile, copy', '⌥ ↓', 'Alt ↓'],
      ['Resize column (in the header)', '⇧ ← →', 'Shift ← →'],
    ],
  ],
]

/** Every key of the query tool. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <PanelDialog title="Keyboard shortcuts" closeLabel="Close keyboard shortcuts" onClose={onClose}>
      <div className={styles.parts}>
        {PARTS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([what, apple, other]) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    <kbd>{shortcutText(apple, other)}</kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </PanelDialog>
  )
}
