// The type of reasoning graphs, decided from their stored shape: the number of steps and the
// LEADS_TO between them. $ids: of the graphs. The same decision as qa.reasoning.shapes.classify,
// whose comments give the names; the code of an unnamed shape is that of shape_code there.
UNWIND $ids AS wanted
MATCH (g:ReasoningGraph {id: wanted})
MATCH (s:Step)-[:IN]->(g)
OPTIONAL MATCH (s)-[:LEADS_TO]->(t:Step)
WITH g.id AS id, count(DISTINCT s) AS n,
     collect(DISTINCT CASE WHEN t IS NULL THEN null ELSE [s.ordinal, t.ordinal] END) AS edges
WITH id, n, edges, range(0, n - 1) AS nodes
// How many edges lead into and out of each node, and which nodes are on a cycle or behind one.
WITH id, n, edges, nodes,
     [v IN nodes | size([e IN edges WHERE e[1] = v])] AS into,
     [v IN nodes | size([e IN edges WHERE e[0] = v])] AS out,
     reduce(left = nodes, turn IN nodes |
       [v IN left WHERE any(e IN edges WHERE e[1] = v AND e[0] IN left)]) AS cyclic
WITH id, n, edges, nodes, into, out, size(edges) AS m, size(cyclic) = 0 AS acyclic,
     reduce(most = 0, d IN into | CASE WHEN d > most THEN d ELSE most END) AS widest,
     reduce(most = 0, d IN out | CASE WHEN d > most THEN d ELSE most END) AS forked,
     size([v IN nodes WHERE into[v] + out[v] = 0]) AS alone,
     [v IN nodes | 1] AS labels
// Colour refinement, four rounds.
WITH *, [x IN labels | (x + 17) * (x + 17) % 999983] AS before, [x IN labels | (x + 91) * (x + 91) % 999983] AS after
WITH id, n, edges, nodes, into, out, m, acyclic, widest, forked, alone,
     [v IN nodes | (labels[v] * 7919
       + 104729 * reduce(total = 0, e IN edges | total + CASE WHEN e[1] = v THEN before[e[0]] ELSE 0 END)
       + 1299709 * reduce(total = 0, e IN edges | total + CASE WHEN e[0] = v THEN after[e[1]] ELSE 0 END)
       + 5) % 999983] AS labels
WITH *, [x IN labels | (x + 17) * (x + 17) % 999983] AS before, [x IN labels | (x + 91) * (x + 91) % 999983] AS after
WITH id, n, edges, nodes, into, out, m, acyclic, widest, forked, alone,
     [v IN nodes | (labels[v] * 7919
       + 104729 * reduce(total = 0, e IN edges | total + CASE WHEN e[1] = v THEN before[e[0]] ELSE 0 END)
       + 1299709 * reduce(total = 0, e IN edges | total + CASE WHEN e[0] = v THEN after[e[1]] ELSE 0 END)
       + 5) % 999983] AS labels
WITH *, [x IN labels | (x + 17) * (x + 17) % 999983] AS before, [x IN labels | (x + 91) * (x + 91) % 999983] AS after
WITH id, n, edges, nodes, into, out, m, acyclic, widest, forked, alone,
     [v IN nodes | (labels[v] * 7919
       + 104729 * reduce(total = 0, e IN edges | total + CASE WHEN e[1] = v THEN before[e[0]] ELSE 0 END)
       + 1299709 * reduce(total = 0, e IN edges | total + CASE WHEN e[0] = v THEN after[e[1]] ELSE 0 END)
       + 5) % 999983] AS labels
WITH *, [x IN labels | (x + 17) * (x + 17) % 999983] AS before, [x IN labels | (x + 91) * (x + 91) % 999983] AS after
WITH id, n, edges, nodes, into, out, m, acyclic, widest, forked, alone,
     [v IN nodes | (labels[v] * 7919
       + 104729 * reduce(total = 0, e IN edges | total + CASE WHEN e[1] = v THEN before[e[0]] ELSE 0 END)
       + 1299709 * reduce(total = 0, e IN edges | total + CASE WHEN e[0] = v THEN after[e[1]] ELSE 0 END)
       + 5) % 999983] AS labels
WITH *, reduce(total = 0, x IN labels | total + (x + 3) * (x + 3) % 999983) % 999983 AS code
// The name.
RETURN id, n AS nodes, m AS edges,
  CASE
    WHEN m = 0 AND n = 1 THEN 'bridge_1_1'
    WHEN m = 0 THEN 'comparison_' + toString(n) + '_1'
    WHEN acyclic AND widest = 1 AND forked = 1 AND m = n - 1 THEN 'bridge_' + toString(n) + '_1'
    WHEN acyclic AND widest = 1 AND forked = 1 AND m = n - 2 AND alone = 0
      THEN 'bridge_comparison_' + toString(n) + '_1'
    WHEN acyclic AND forked = 1 AND m = n - 1 AND n = 3 THEN 'compositional_3_2'
    WHEN acyclic AND forked = 1 AND m = n - 1 AND n = 4 AND widest = 2
      THEN CASE WHEN size([v IN nodes WHERE out[v] = 0 AND into[v] = 2]) = 1
                THEN 'compositional_4_3' ELSE 'compositional_4_2' END
    WHEN acyclic AND forked = 1 AND m = n - 1 THEN 'compositional_' + toString(n) + '_' + toString(code)
    ELSE 'other_' + toString(n) + '_' + toString(code)
  END AS type
ORDER BY id
