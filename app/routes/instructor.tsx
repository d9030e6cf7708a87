export default function Route() {
  return <h1 className="column title py-20">instructor</h1>
}
