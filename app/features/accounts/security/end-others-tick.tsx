/** In forms that change who can sign in: whether all other sessions end with the change. */
export function EndOthersTick() {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        name="endOthers"
        defaultChecked
        className="size-5 shrink-0 accent-accent"
      />
      Sign out all other devices
    </label>
  )
}
