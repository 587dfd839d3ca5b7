import type { Store } from '#store/index.ts'

/**
 * Takes or prolongs a lease: one holder at a time among all processes, by the clock of the store. A holder that dies loses
 * it after `forMs`. Returns whether it is held now.
 */
export async function holdLease(store: Store, name: string, holder: string, forMs: number): Promise<boolean> {
  const rows = await store.query(
    `INSERT INTO assay.leases AS lease (name, holder, held_until)
VALUES ($1, $2, clock_timestamp() + $3::double precision * interval '1 millisecond')
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
WHERE lease.holder = excluded.holder OR lease.held_until < clock_timestamp()
RETURNING name`,
    [name, holder, forMs],
  )
  return rows.length > 0
}

export async function leaveLease(store: Store, name: string, holder: string): Promise<void> {
  await store.query('DELETE FROM assay.leases WHERE name = $1 AND holder = $2', [name, holder])
}
