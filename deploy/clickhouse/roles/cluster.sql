-- On a cluster, after the other files, each of which is then to be run with ON CLUSTER or on every node
-- (or once, where the servers keep their users in Keeper: user_directories, replicated).

-- Statements ON CLUSTER, and waiting for replicas.
GRANT CLUSTER ON *.* TO netpanel_metadata;
GRANT CLUSTER ON *.* TO netpanel_migrate;
GRANT SYSTEM SYNC REPLICA ON netpanel.* TO netpanel_metadata;
GRANT SYSTEM SYNC REPLICA ON netpanel.* TO netpanel_migrate;
-- clusterAllReplicas(), which looks at the dictionary of every node. It is the grant that remote() needs too,
-- and the query role has not got it.
GRANT REMOTE ON *.* TO netpanel_metadata;
-- How many nodes there should be.
GRANT SELECT ON system.clusters TO netpanel_metadata;
-- A Distributed table is created by whoever may reach its nodes.
GRANT REMOTE ON *.* TO netpanel_migrate;
-- How far a node is behind its replicas: shown by /readyz, which is well without it.
GRANT SELECT ON system.replicas TO netpanel_query;
GRANT SELECT ON system.replicas TO netpanel_metadata;
