/** Whom the drill's publisher is asked about. */
export const ABOUT: readonly string[] = ['rootstock', 'bob', 'core', 'merlin', 'bitlayer']
