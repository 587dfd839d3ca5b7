import { useLocation } from 'react-router'
import { Sheet } from '../ui/Sheet.tsx'
import { AssayView } from './AssayView.tsx'
import { withoutAssay } from './address.ts'
import type { LoadedAssay } from './loadAssay.server.ts'

/** The assay view over a page, at the address of that page. */
export function AssaySheet({ assay }: { assay: LoadedAssay }) {
  const { pathname, search } = useLocation()
  return (
    <Sheet away={pathname + withoutAssay(search)} titleId="assay-title" closeLabel="Close the assay view">
      <AssayView key={assay.ref} assay={assay} />
    </Sheet>
  )
}
