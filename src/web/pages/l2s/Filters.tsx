import type { DirectoryLayer } from '#http/contract.ts'
import { type Choice, Choices } from '../../blocks/Choices.tsx'
import { type DirectoryView, shownLayers } from './directoryView.ts'
import { FAMILIES, FAMILY_MEANS, STATUSES } from './words.ts'

type Key = 'family' | 'status' | 'reviewed'
type Props = { layers: readonly DirectoryLayer[]; view: DirectoryView }

/** What of the directory is shown: links, so that each choice has an address and needs no script. */
export function Filters({ layers, view }: Props) {
  const counted = (key: Key, isChosen: (layer: DirectoryLayer) => boolean) => {
    const rows = shownLayers(layers, view, key).filter(isChosen).length
    return { rows, of: rows === 1 ? 'layer' : 'layers' }
  }
  const all = (key: Key): Choice => ({
    value: undefined,
    label: 'All',
    count: counted(key, () => true),
  })
  const families = Object.entries(FAMILIES).map(
    ([value, label]): Choice => ({
      value,
      label,
      title: FAMILY_MEANS[value as keyof typeof FAMILIES],
      count: counted('family', ({ family }) => family === value),
    }),
  )
  const statuses = Object.entries(STATUSES).map(
    ([value, label]): Choice => ({
      value,
      label,
      count: counted('status', ({ status }) => status === value),
    }),
  )
  return (
    <Choices
      rows={[
        { label: 'Type', name: 'family', current: view.family, choices: [all('family'), ...families] },
        { label: 'Status', name: 'status', current: view.status, choices: [all('status'), ...statuses] },
        {
          label: 'Review',
          name: 'reviewed',
          current: view.reviewed,
          choices: [
            all('reviewed'),
            { value: 'yes', label: 'Reviewed', count: counted('reviewed', layer => layer.isReviewed) },
            { value: 'no', label: 'Not reviewed', count: counted('reviewed', layer => !layer.isReviewed) },
          ],
        },
      ]}
    />
  )
}
