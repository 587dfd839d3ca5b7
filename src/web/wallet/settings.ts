/** What the operator of the site has set for wallets. */
export type WalletSettings = {
  /** Origins in whose frames Assay believes to be inside Asigna. */
  readonly asignaOrigins: readonly string[]
}

const SETTINGS_URL = '/config.json'

let settings: WalletSettings = { asignaOrigins: [] }
let isAsked = false

/** As far as they are known; nothing is trusted before they are. */
export function walletSettings(): WalletSettings {
  // Nobody outside a frame needs them.
  if (window.top !== window.self && !isAsked) {
    isAsked = true
    void readSettings()
  }
  return settings
}

async function readSettings(): Promise<void> {
  try {
    const answer: unknown = await (await fetch(SETTINGS_URL)).json()
    const origins = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'asignaOrigins') : []
    if (Array.isArray(origins)) settings = { asignaOrigins: origins.filter(one => typeof one === 'string') }
  } catch (thrown) {
    console.error('The settings of wallets could not be read', thrown)
  }
}

/** Origins of hubs that the browser may ask; none where that cannot be told. */
export async function readHubHosts(): Promise<readonly string[]> {
  const answer: unknown = await (await fetch(SETTINGS_URL)).json()
  const hosts = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'hubHosts') : []
  return Array.isArray(hosts) ? hosts.filter(one => typeof one === 'string') : []
}
