export default function Route() {
  return <h1 className="column title py-20">profile</h1>
}
