/** Takes a row into the selection; the key x does the same, so Tab passes it by. */
export function Tick({ isTicked, name, tick }: { readonly isTicked: boolean; readonly name: string; readonly tick: () => void }) {
  return <input type="checkbox" className="bd-tick" aria-label={name} checked={isTicked} tabIndex={-1} onChange={tick} />;
}
